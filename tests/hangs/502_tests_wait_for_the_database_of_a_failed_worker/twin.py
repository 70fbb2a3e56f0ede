import os
import signal
import tempfile

import pytest

signal.alarm(120)


def run_tests(folder):
    here = os.path.dirname(os.path.abspath(__file__))
    os.environ["SHOP_FOLDER"] = folder
    options = ["-q", "-n", "2", "-c", os.devnull, "-p", "no:cacheprovider", "--noconftest"]
    return pytest.main([*options, "--rootdir", here, os.path.join(here, "full_checks.py")])


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        with tempfile.TemporaryDirectory() as folder:
            run_tests(folder)
