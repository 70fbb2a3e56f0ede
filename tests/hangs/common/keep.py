"""Run a program and stay the parent of all that it starts, also of what leaves its session."""

import ctypes
import subprocess
import sys

SET_CHILD_SUBREAPER = 36

ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1)
sys.exit(subprocess.call([sys.executable, "-u", *sys.argv[1:]]))
