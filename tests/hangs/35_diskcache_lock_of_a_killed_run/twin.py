import os
import signal
import subprocess
import sys
import tempfile
import time

import diskcache

signal.alarm(120)


def migrate_tables(cache):
    with diskcache.Lock(cache, "upgrade"):
        time.sleep(0.02)
        if sys.argv[1:]:
            return


def first_run(folder):
    subprocess.run([sys.executable, __file__, folder])


if __name__ == "__main__":
    folder = sys.argv[1] if sys.argv[1:] else tempfile.mkdtemp(prefix="hang_")
    if not sys.argv[1:]:
        print("MARK main pid=%d" % os.getpid())
        first_run(folder)
    cache = diskcache.Cache(folder)
    while True:
        migrate_tables(cache)
        time.sleep(0.02)
        if sys.argv[1:]:
            break
