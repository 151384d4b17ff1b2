"""What all tests share."""

import os
import signal
from pathlib import Path

from hypothesis import HealthCheck, settings

# Set before any test imports the package. Tests in this process and the commands they start then compile the
# kernels once for all of them; pytest's own cache folder is ignored by git and removed by make clean.
os.environ.setdefault("FIVETOWERS_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "kernels"))

# A shell starts what it runs in the background deaf to Ctrl-C, and tests, and commands that they start, with it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Solvers would start a thread for each core, which wait for each other where workers use the cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# How long it takes to draw and try an example says something about the machine only.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
