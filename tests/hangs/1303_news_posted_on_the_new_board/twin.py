import os
import threading

from harbour.boards import Boards
from harbour.people import Captain, Office, Pilot

KEPT = ("tides", "wind")


def main():
    boards = Boards()
    for name in ("pilot-north", "pilot-south"):
        Pilot(name, boards.board("tides")).start()
    captain = Captain(boards)
    Office(boards).start()
    threading.Timer(1.0, boards.clear, [KEPT]).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    captain.sail()


if __name__ == "__main__":
    main()
