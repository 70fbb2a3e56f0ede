import os
import signal

import pytest

signal.alarm(120)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    here = os.path.dirname(os.path.abspath(__file__))
    where = ["-c", os.devnull, "--rootdir", here, "--confcutdir", here]
    pytest.main(["-q", *where, os.path.join(here, "mail_checks.py")])
