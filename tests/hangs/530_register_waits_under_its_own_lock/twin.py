import multiprocessing
import os
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from register import Shop

signal.alarm(120)


def sell(register):
    print("MARK seller pid=%d" % os.getpid(), flush=True)
    while True:
        register.pay_in(5)
        time.sleep(0.05)


def give_refund(register):
    register.pay_out(3)


def open_shop():
    with Shop() as shop:
        register = shop.Register()
        register.pay_in(1000)
        seller = multiprocessing.Process(target=sell, args=(register,), name="seller")
        seller.start()
        while True:
            give_refund(register)
            time.sleep(0.1)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    open_shop()
