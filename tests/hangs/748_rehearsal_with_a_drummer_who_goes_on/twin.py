import os
import signal
import sys

import pytest

signal.alarm(120)

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    here = os.path.dirname(os.path.abspath(__file__))
    options = ["-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", here, "--noconftest"]
    sys.exit(pytest.main([*options, os.path.join(here, "twin_band.py")]))
