import os
import threading
import time

import pigpio

from garden.board import Board
from garden.works import Basin, Gauge, Valve

if __name__ == "__main__":
    board = Board()
    board.start()
    pi = pigpio.pi("127.0.0.1", board.port, show_errors=False)
    other = pi
    basin = Basin(pi, 3)
    valve = Valve(other, 17)
    gauge = Gauge(basin)
    threads = [
        threading.Thread(target=basin.work, name="filler", daemon=True),
        threading.Thread(target=valve.work, args=(basin,), name="opener", daemon=True),
        threading.Thread(target=gauge.work, name="gauge", daemon=True),
    ]
    for thread in threads:
        thread.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for thread in threads[:2]:
        thread.join()
    time.sleep(1)
