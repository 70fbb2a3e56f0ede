import os
import sys

from ilock import ILock


def weigh(lane, sack):
    note = os.path.join(lane, "weights")
    with ILock("mill", lock_directory=lane):
        with open(note, "a") as page:
            page.write("%d\n" % sack)
        return sack * 50


if __name__ == "__main__":
    print(weigh(sys.argv[1], int(sys.argv[2])))
