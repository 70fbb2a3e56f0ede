import os
import signal
from pathlib import Path

import pytest

signal.alarm(120)

HERE = Path(__file__).parent
ALONE = ["-q", "-c", os.devnull, "--noconftest", "-p", "no:cacheprovider"]

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    pytest.main([*ALONE, "--rootdir", str(HERE), str(HERE / "shelf_checks.py")])
