import os
import signal
import threading
import time

from aiorun import run
from postroom.room import Room

CLOSING = 0


class Porter(threading.Thread):
    def __init__(self, after):
        super().__init__(name="porter", daemon=True)
        self.after = after
        self.rounds = 0

    def run(self):
        begun = time.monotonic()
        while True:
            time.sleep(0.2)
            self.rounds += 1
            if self.after and time.monotonic() - begun > self.after:
                os.kill(os.getpid(), signal.SIGTERM)
                self.after = 0


def main():
    room = Room()
    Porter(CLOSING).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run(room.open())
    print("closed", room.sorted, flush=True)


if __name__ == "__main__":
    main()
