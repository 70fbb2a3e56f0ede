import os

from office.desk import Desk
from office.services import Clock, Settings

EARLY = True


def main():
    Clock().start()
    if EARLY:
        Settings()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Desk(3).day()


if __name__ == "__main__":
    main()
