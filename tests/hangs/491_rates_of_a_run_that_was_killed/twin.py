import datetime
import os
import signal
import tempfile

from rates import Rates

signal.alarm(120)


def price_list(folder, day):
    rates = Rates(folder, pause=0.2)
    return {name: round(2.5 * rates.load(day)[name], 2) for name in ("pie", "tea")}


if __name__ == "__main__":
    day = datetime.date(2026, 11, 27)
    with tempfile.TemporaryDirectory() as folder:
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            price_list(folder, day)
            day += datetime.timedelta(days=1)
