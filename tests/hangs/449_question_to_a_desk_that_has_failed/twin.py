import os
import signal
import sys
import threading
import time

import pynng

signal.alarm(120)

ADDRESS = "inproc://desk"
PRICES = {"tea": 3}


def answer_questions(desk):
    while True:
        name = desk.recv().decode()
        desk.send(str(PRICES.get(name, 0)).encode())


def ask_price(customer, name):
    customer.send(name.encode())
    return int(customer.recv())


def shop(names):
    desk = pynng.Rep0(listen=ADDRESS)
    threading.Thread(target=answer_questions, args=(desk,), name="desk", daemon=True).start()
    with pynng.Req0(dial=ADDRESS) as customer:
        while True:
            for name in names:
                ask_price(customer, name)
                time.sleep(0.02)


if __name__ == "__main__":
    sys.stderr = open(os.devnull, "w")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(shop(["tea", "salt"]))
