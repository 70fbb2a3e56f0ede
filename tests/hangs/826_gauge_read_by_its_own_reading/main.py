import os
import signal
import threading
import time

from gauge import Gauge

signal.alarm(120)


def watch_tank():
    gauge = Gauge()
    inlet = threading.Thread(target=gauge.set_level, args=(4,), name="inlet")

    def pause():
        inlet.start()
        time.sleep(1)

    return gauge.report(pause)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    watch_tank()
