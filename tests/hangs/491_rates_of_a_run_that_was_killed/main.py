import datetime
import os
import signal
import subprocess
import sys
import tempfile
import time

from rates import Rates

signal.alarm(120)


def price_list(folder, day):
    rates = Rates(folder)
    return {name: round(2.5 * rates.load(day)[name], 2) for name in ("pie", "tea")}


def nightly_run(folder):
    run = subprocess.Popen([sys.executable, __file__, folder])
    while not any(os.scandir(folder)):
        time.sleep(0.1)
    time.sleep(1)
    run.kill()
    run.wait()


if __name__ == "__main__":
    day = datetime.date(2026, 11, 27)
    if sys.argv[1:]:
        price_list(sys.argv[1], day)
    else:
        with tempfile.TemporaryDirectory() as folder:
            nightly_run(folder)
            print("MARK main pid=%d" % os.getpid(), flush=True)
            print(price_list(folder, day))
