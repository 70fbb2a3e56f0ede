import multiprocessing
import os
import signal
import sys

from till import open_till, take_in

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def work_shift(till, amounts):
    print("MARK shift pid=%d" % os.getpid(), flush=True)
    for amount in amounts:
        take_in(till, amount)


def open_shop(port):
    till = open_till(port)
    shift = multiprocessing.get_context("fork").Process(target=work_shift, args=(till, [3, 5]))
    shift.start()
    shift.join()


if __name__ == "__main__":
    port = start("postgres_server")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    open_shop(port)
