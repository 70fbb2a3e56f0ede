import multiprocessing
import os
import signal
import sys
import time

from till import open_till, take_in

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def work_shift(port):
    print("MARK shift pid=%d" % os.getpid(), flush=True)
    till = open_till(port)
    while True:
        take_in(till, 3)
        time.sleep(0.2)


def open_shop(port):
    shift = multiprocessing.get_context("fork").Process(target=work_shift, args=(port,))
    shift.start()
    shift.join()


if __name__ == "__main__":
    port = start("postgres_server")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    open_shop(port)
