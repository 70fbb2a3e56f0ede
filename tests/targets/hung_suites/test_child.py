"""A child writes more than a pipe holds, and its parent waits for its end before it reads."""

import subprocess
import sys


def test_before():
    pass


def test_export():
    child = subprocess.Popen(
        [sys.executable, "-c", "print('row ' * 50_000)"], stdout=subprocess.PIPE
    )
    assert child.wait() == 0
    assert child.stdout.read()


def test_after():
    pass
