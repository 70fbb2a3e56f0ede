import os
import signal
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))

if __name__ == "__main__":
    signal.alarm(120)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    sys.exit(
        pytest.main(
            [
                "-q",
                "-s",
                "-p",
                "no:cacheprovider",
                "--noconftest",
                "-c",
                os.devnull,
                "--rootdir",
                HERE,
                os.path.join(HERE, "test_ovens.py"),
            ]
        )
    )
