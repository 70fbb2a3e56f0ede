import os

from railway.counters import Clock, Station

WISHES = [(("bern", "lyon"), None), (("lyon", "nice"), ("bern", "lyon"))] * 200


def main():
    station = Station(3)
    station.open()
    Clock(station).start()
    station.queue_up(WISHES)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    station.close()


if __name__ == "__main__":
    main()
