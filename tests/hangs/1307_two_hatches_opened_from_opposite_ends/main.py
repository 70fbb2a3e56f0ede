import os
import subprocess
import sys
import tempfile

from kiosk.front import open_kiosk
from kiosk.hatches import Hatches

HERE = os.path.dirname(os.path.abspath(__file__))
FIRST = "orders"


def main():
    hatches = Hatches(tempfile.mkdtemp())
    hatches.build()
    command = [sys.executable, os.path.join(HERE, "bar.py")]
    subprocess.Popen([*command, hatches.orders, hatches.drinks, FIRST])
    print("MARK main pid=%d" % os.getpid(), flush=True)
    open_kiosk(hatches)


if __name__ == "__main__":
    main()
