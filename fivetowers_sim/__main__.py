"""Run the command as ``python -m fivetowers_sim``."""

from fivetowers_sim.cli.main import main

if __name__ == "__main__":
    main()
