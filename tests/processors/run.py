"""Run tests in each environment that this machine can stand for: ``python -m tests.processors.run [OPTIONS]``."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

from tests.processors.environments import list_environments, oldest_processor


def main(options: list[str]) -> int:
    """Run pytest once in each environment.

    Parameters
    ----------
    options : list of str
        For pytest. ``--oldest`` before them runs in one environment only, with the oldest instructions for all
        libraries.

    Returns
    -------
    int
        0 if all passed, else how many environments had a failure.
    """
    environments = list_environments()
    if options[:1] == ["--oldest"]:
        environments, options = {"an old processor": oldest_processor()}, options[1:]
    failed = []
    for name, changes in environments.items():
        said = shlex.join(f"{variable}={value}" for variable, value in changes.items())
        print(f"\n==== {name}: {said}", flush=True)
        done = subprocess.run([sys.executable, "-m", "pytest", *options], env={**os.environ, **changes}, check=False)
        if done.returncode:
            failed.append(name)
    print(f"\n{len(environments) - len(failed)} of {len(environments)} environments passed", flush=True)
    for name in failed:
        print(f"failed: {name}", flush=True)
    return len(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
