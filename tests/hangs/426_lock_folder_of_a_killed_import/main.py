import os
import signal
import subprocess
import sys

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
        import_prices(sys.argv[1], iter(lambda: os.kill(os.getpid(), signal.SIGKILL), ""))
    nightly_import()
    print("MARK main pid=%d" % os.getpid())
    import_prices(PATH, ["bolt 0.12", "nut 0.08"])
