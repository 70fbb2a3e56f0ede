import os
import subprocess
import sys
import tempfile
import threading
import time

import pytest

SENDS_THEM_HOME = False
SUITE = """
from main import Workshop


def test_saw_starts(workshop):
    assert workshop.start_saw().poll() is None
"""
FIXTURES = """
import pytest

from __main__ import SENDS_THEM_HOME, Workshop


@pytest.fixture
def workshop():
    shop = Workshop()
    yield shop
    if SENDS_THEM_HOME:
        shop.saw.terminate()


def pytest_configure(config):
    import sys
    sys.modules.setdefault("main", sys.modules["__main__"])
"""


class Workshop:
    saw = None

    def start_saw(self):
        self.saw = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(1000)"], stderr=subprocess.PIPE
        )
        threading.Thread(target=self.note_complaints, name="complaints").start()
        return self.saw

    def note_complaints(self):
        for line in self.saw.stderr:
            print("saw:", line)


def write_suite(folder):
    for name, text in (("conftest.py", FIXTURES), ("test_saw.py", SUITE)):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)


def inspect(folder):
    return pytest.main([folder, "-q", "-p", "no:cacheprovider", "--rootdir", folder])


def main():
    folder = tempfile.mkdtemp()
    write_suite(folder)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    inspect(folder)
    while SENDS_THEM_HOME:
        time.sleep(0.05)
        inspect(folder)


if __name__ == "__main__":
    main()
