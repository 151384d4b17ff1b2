"""Run the command as ``python -m fivetowers_sim``, and as ``fivetowers``."""

from __future__ import annotations

import gc
import sys

# Each time so many objects more have been made, Python looks through all. Libraries make, and keep, so many that by its
# own threshold that is a sixth of the start.
_OBJECTS_BEFORE_COLLECTING = 1_000_000


def main() -> None:
    """Run the command and exit with its code."""
    gc.set_threshold(_OBJECTS_BEFORE_COLLECTING, *gc.get_threshold()[1:])
    try:
        from fivetowers_sim.cli.main import main as run
    except KeyboardInterrupt:
        # Nothing has begun yet.
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
