import os
import signal
import sys
import tempfile

import pytest

signal.alarm(120)


def run_checks(folder):
    here = os.path.dirname(os.path.abspath(__file__))
    os.environ["DEPOT_FOLDER"] = folder
    options = ["-q", "-n", "2", "-c", os.devnull, "-p", "no:cacheprovider", "--noconftest"]
    return pytest.main([*options, "--rootdir", here, os.path.join(here, "calm_checks.py")])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print("MARK main pid=%d" % os.getpid(), flush=True)
        sys.exit(run_checks(folder))
