"""The command ``fivetowers``: its subcommands, and how every one of them ends."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Final

import typer

from fivetowers_sim.cli.command import HELP_STYLE, CommandGroup
from fivetowers_sim.cli.console import print_error
from fivetowers_sim.cli.errors import BAD_USAGE, FAILED, INTERRUPTED, CommandError, Interrupted
from fivetowers_sim.cli.interrupt import end_program, leave_in_time, say
from fivetowers_sim.user_files import UserFileError

app = typer.Typer(
    name="fivetowers",
    cls=CommandGroup,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=HELP_STYLE,
)

# What Typer raises for an unknown option, a number that isn't one, and the like.
_OptionError: Final = typer.BadParameter.__base__


@app.callback(invoke_without_command=True)
def begin(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.", is_eager=True)] = False,
) -> None:
    """Balance analysis for the card game 5 Towers.

    A first run: fivetowers simulate --games 10000 --out data/first, then fivetowers summary data/first.
    """
    if version:
        typer.echo(f"fivetowers {find_version()}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def find_version() -> str:
    """Return the installed package's version."""
    from importlib import metadata

    try:
        return metadata.version("fivetowers_sim")
    except metadata.PackageNotFoundError:
        return "(not installed)"


def main() -> None:
    """Run the command and exit with its code."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            # Closed by whoever started the program; it has no wish to read.
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - open to the end
        # A character that the terminal doesn't know is no reason to fail.
        getattr(sys, name).reconfigure(errors="backslashreplace")
    leave_in_time()
    end_program(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command with these arguments.

    Parameters
    ----------
    arguments : list of str
        What follows the program's name.

    Returns
    -------
    int
        The exit code: 0 done, 1 failed, 2 bad usage, 130 interrupted.
    """
    try:
        code = app(arguments, prog_name="fivetowers", standalone_mode=False)
        sys.stdout.flush()
        if code == INTERRUPTED:
            # What Typer makes of Ctrl-C where a command has nothing to say about it.
            say(Interrupted("interrupted"))
        return code or 0
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        _drop_output()
        return FAILED
    except (KeyboardInterrupt, Interrupted) as error:
        say(error if isinstance(error, Interrupted) else Interrupted("interrupted"))
        return INTERRUPTED
    except CommandError as error:
        print_error(str(error))
        return error.exit_code
    except UserFileError as error:
        print_error(str(error))
        return BAD_USAGE
    except _OptionError as error:
        print_error(_describe_option_error(error))
        return BAD_USAGE
    except OSError as error:
        # Files that a command was given are dealt with where they are read and written.
        _drop_output()
        what = f"use {error.filename}" if error.filename else "write the output"
        print_error(f"can't {what}: {error.strerror or error}")
        return FAILED
    except Exception as error:
        if not _is_failed_run(error):
            raise
        print_error(str(error))
        return FAILED


def _drop_output() -> None:
    """Send what is still buffered for standard output nowhere, so that it doesn't fail again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_failed_run(error: Exception) -> bool:
    from fivetowers_sim.batch.run import BatchError
    from fivetowers_sim.batch.workers import WorkersLostError
    from fivetowers_sim.dataset.errors import RunError
    from fivetowers_sim.strategies.custom_file import CustomStrategyError

    return isinstance(error, (BatchError, WorkersLostError, RunError, CustomStrategyError))


def _describe_option_error(error: typer.BadParameter) -> str:
    command = error.ctx.command_path if error.ctx else "fivetowers"
    parameter = getattr(error, "param", None)
    if parameter is not None and error.message.startswith("is "):
        # Our own parsers say what was given and what is accepted.
        name = parameter.opts[0] if parameter.param_type_name == "option" else parameter.metavar or parameter.name
        return f"{name} {error.message}"
    return f"{error.format_message().rstrip('.')}; see {command} --help"
