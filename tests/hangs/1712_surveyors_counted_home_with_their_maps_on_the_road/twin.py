import os
import threading
import time

from survey.office import Office

SHEETS = 250
DISTRICTS = ["north", "fens"]


class Secretary(threading.Thread):
    def __init__(self, office):
        super().__init__(name="secretary", daemon=True)
        self.office = office
        self.seasons = 0

    def run(self):
        while True:
            self.office.season(DISTRICTS)
            self.seasons += 1
            time.sleep(0.5)


class Weather(threading.Thread):
    def __init__(self):
        super().__init__(name="weather", daemon=True)
        self.days = 0

    def run(self):
        while True:
            time.sleep(0.4)
            self.days += 1


def main():
    secretary = Secretary(Office(SHEETS))
    Weather().start()
    secretary.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    secretary.join()


if __name__ == "__main__":
    main()
