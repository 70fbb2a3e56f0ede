import os

from weir.line import open_line
from weir.station import Gauge, Keeper

ASKS_BACK = False

if __name__ == "__main__":
    near, far = open_line()
    gauge = Gauge(far)
    gauge.start()
    keeper = Keeper(near, ASKS_BACK)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    keeper.watch()
