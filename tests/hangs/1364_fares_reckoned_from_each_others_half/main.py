import os

from railway.counters import Clock, Station

ULM, GRAZ = ("ulm", "graz"), ("graz", "bern")
WISHES = [(("bern", "lyon"), None), (("bern", "lyon"), None), (ULM, GRAZ), (GRAZ, ULM)]


def main():
    station = Station(3)
    station.open()
    Clock(station).start()
    station.queue_up(WISHES)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    station.close()


if __name__ == "__main__":
    main()
