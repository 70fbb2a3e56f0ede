import os
import tempfile

import pytest

TIMEOUT = 30
SUITE = """
import time

import pytest


@pytest.mark.parametrize("bridge", ["north", "south"])
def test_bridge_bears_load(bridge):
    time.sleep(1)
    assert bridge
"""
FIXTURES = """
import socket

socket.setdefaulttimeout(%r)
"""


class Office:
    def __init__(self, folder):
        self.folder = folder
        self.rounds = 0

    def write_suite(self):
        for name, text in (("conftest.py", FIXTURES % TIMEOUT), ("test_bridges.py", SUITE)):
            with open(os.path.join(self.folder, name), "w") as file:
                file.write(text)

    def inspect(self):
        options = ["-q", "-p", "xdist", "-p", "pytest_rerunfailures"]
        options += ["-p", "no:cacheprovider", "--rootdir", self.folder]
        return pytest.main([self.folder, "-n", "1", "--reruns", "2", *options])


def main():
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    office = Office(tempfile.mkdtemp())
    office.write_suite()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        office.inspect()
        office.rounds += 1


if __name__ == "__main__":
    main()
