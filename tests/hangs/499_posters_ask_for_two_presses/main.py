import os
import signal
import tempfile

import luigi
from luigi.configuration import get_config

from posters import Posters

signal.alarm(120)


def print_posters(folder):
    get_config().set("resources", "press", "1")
    get_config().set("worker", "keep_alive", "true")
    done = luigi.build([Posters(folder=folder, large=2)], local_scheduler=True, log_level="WARNING")
    print("printed" if done else "not printed")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print("MARK main pid=%d" % os.getpid())
        print_posters(folder)
