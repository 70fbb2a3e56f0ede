import ctypes
import os
import threading
import time

PATIENCE = 0.2


class HomeTime(Exception):
    pass


class Bakery:
    def __init__(self):
        self.oven = threading.Lock()
        self.loaves = 0
        self.sold = 0

    def knead(self, seconds):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(0.005)

    def patience(self):
        return 2 if self.loaves >= 20 else 0.05

    def bake(self):
        try:
            while True:
                self.oven.acquire()
                self.knead(self.patience())
                self.loaves += 1
                self.oven.release()
                time.sleep(0.01)
        except HomeTime:
            print("baker has gone home")

    def take_loaf(self):
        self.oven.acquire()
        try:
            self.loaves -= 1
            self.sold += 1
        finally:
            self.oven.release()

    def sell_bread(self, count):
        for _ in range(count):
            self.take_loaf()


def send_home(worker):
    asked = ctypes.c_ulong(worker.ident)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(asked, ctypes.py_object(HomeTime))
    worker.join()


def main():
    bakery = Bakery()
    baker = threading.Thread(target=bakery.bake, name="baker")
    baker.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while bakery.loaves < 20:
        time.sleep(0.05)
    time.sleep(PATIENCE)
    if PATIENCE < 1:
        send_home(baker)
    while True:
        bakery.sell_bread(2)
        time.sleep(0.05)


if __name__ == "__main__":
    main()
