"""What these tests share with those of the commands."""

from tests.cli.conftest import fivetowers

__all__ = ["fivetowers"]
