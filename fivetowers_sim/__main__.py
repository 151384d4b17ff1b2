"""Run the command as ``python -m fivetowers_sim``, and as ``fivetowers``."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command and exit with its code."""
    try:
        from fivetowers_sim.cli.main import main as run
    except KeyboardInterrupt:
        # Nothing has begun yet.
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
