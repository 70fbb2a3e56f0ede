import os

from platform_staff import Announcer, Station

SHARED = False


if __name__ == "__main__":
    station = Station(SHARED)
    Announcer().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    station.run()
