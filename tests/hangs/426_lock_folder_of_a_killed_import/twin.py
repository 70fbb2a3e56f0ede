import os
import signal
import subprocess
import sys
import time

from lockfile.mkdirlockfile import MkdirLockFile

signal.alarm(120)
PATH = "/tmp/price-list-%d" % os.getpid()


def import_prices(path, lines):
    with MkdirLockFile(path):
        with open(path, "a") as prices:
            for line in lines:
                prices.write(line.strip() + "\n")
                prices.flush()


def nightly_import():
    return subprocess.call([sys.executable, __file__, PATH])


if __name__ == "__main__":
    if sys.argv[1:]:
        import_prices(sys.argv[1], ["washer 0.02"])
        sys.exit()
    nightly_import()
    print("MARK main pid=%d" % os.getpid())
    while True:
        import_prices(PATH, ["bolt 0.12", "nut 0.08"])
        time.sleep(0.05)
