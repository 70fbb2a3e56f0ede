import os
import threading
import time

from vane.station import Readings, Station

SEASON = 6


class Display(threading.Thread):
    def __init__(self, readings):
        super().__init__(name="display", daemon=True)
        self.readings = readings
        self.shown = 0

    def run(self):
        while True:
            self.shown = self.readings.count()
            time.sleep(0.3)


class Office:
    def __init__(self, season):
        self.readings = Readings()
        self.station = Station(self.readings, season)
        self.season_thread = threading.Thread(target=self.station.open, name="station")

    def begin(self):
        Display(self.readings).start()
        self.season_thread.start()

    def report(self):
        self.season_thread.join()
        print("season over", self.readings.count(), flush=True)


def main():
    office = Office(SEASON)
    office.begin()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    office.report()


if __name__ == "__main__":
    main()
