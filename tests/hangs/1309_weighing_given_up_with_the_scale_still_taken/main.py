import os
import subprocess
import sys

from market.scale import Scale
from market.stall import Awning, Stall

HERE = os.path.dirname(os.path.abspath(__file__))
UNKNOWN = "quinces"


def main():
    pan = subprocess.Popen(
        [sys.executable, os.path.join(HERE, "pan.py"), UNKNOWN], stdout=subprocess.PIPE
    )
    address = ("127.0.0.1", int(pan.stdout.readline()))
    Awning().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Stall(Scale(address)).morning(["plums", "pears", "quinces"])


if __name__ == "__main__":
    main()
