import datetime as dt
import os

import time_machine

from coaches.stop import Station

MARKET_DAY = dt.datetime(2031, 5, 4, 9, 30, tzinfo=dt.timezone.utc)
RUNS_ON = False


def rehearse():
    with time_machine.travel(MARKET_DAY, tick=RUNS_ON):
        station = Station()
        station.open()
        while True:
            station.next_journey()


def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    rehearse()


if __name__ == "__main__":
    main()
