import os

from railway.counters import Clock, Station

LOCAL = [((str(number), "nice"), None) for number in range(1500)]
WISHES = [(("lyon", "nice"), ("bern", "lyon")), *LOCAL]


def main():
    station = Station(3)
    station.open()
    Clock(station).start()
    station.queue_up(WISHES)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    station.close()


if __name__ == "__main__":
    main()
