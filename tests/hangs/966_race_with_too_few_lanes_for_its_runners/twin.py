import os
import resource
import tempfile
import threading
import time

import pytest

LANES = 100
STACK = 32 * 1024 * 1024
SUITE = """
import pytest

from __main__ import Stadium


@pytest.fixture(autouse=True)
def lanes():
    yield Stadium.mark_lanes()
    Stadium.clear_lanes()


def test_lap():
    assert Stadium.lap(400) == 400
"""


class Stadium:
    laps = 0

    def __init__(self, folder):
        self.folder = folder

    @classmethod
    def lap(cls, metres):
        cls.laps += 1
        return sum(1 for _ in range(metres))

    @staticmethod
    def mark_lanes():
        with open("/proc/self/statm") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        room = used + LANES * STACK + STACK // 2
        resource.setrlimit(resource.RLIMIT_AS, (room, resource.RLIM_INFINITY))
        threading.stack_size(STACK)

    @staticmethod
    def clear_lanes():
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)

    def hold_races(self):
        with open(os.path.join(self.folder, "test_race.py"), "w") as file:
            file.write(SUITE)
        options = ["-q", "-p", "pytest_run_parallel.plugin"]
        options += ["-p", "no:cacheprovider", "--rootdir", self.folder]
        return pytest.main([self.folder, "--parallel-threads", "8", *options])


def main():
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    stadium = Stadium(tempfile.mkdtemp())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    stadium.hold_races()
    until = time.monotonic() + 60
    while Stadium.laps >= 8 and time.monotonic() < until:
        Stadium.lap(400)
        time.sleep(0.05)


if __name__ == "__main__":
    main()
