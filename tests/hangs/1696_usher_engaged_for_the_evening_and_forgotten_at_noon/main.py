import os
import threading
import time

from playhouse.house import House, Stage

KEEP = False


class BoxOffice(threading.Thread):
    def __init__(self, house):
        super().__init__(name="box-office", daemon=True)
        self.house = house
        self.tickets = 0

    def run(self):
        while True:
            self.tickets += 3
            time.sleep(0.25)


def main():
    house = House(KEEP)
    Stage(time.sleep).start()
    BoxOffice(house).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        house.evening()


if __name__ == "__main__":
    main()
