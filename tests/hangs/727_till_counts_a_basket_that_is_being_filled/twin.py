import os
import signal
import time

from PySide6.QtCore import QCoreApplication, QMutex, QObject, Signal

signal.signal(signal.SIGALRM, signal.SIG_DFL)
signal.alarm(120)


class Basket(QObject):
    changed = Signal(int)

    def __init__(self):
        super().__init__()
        self.mutex = QMutex()
        self.goods = []

    def add(self, name):
        self.mutex.lock()
        self.goods.append(name)
        self.mutex.unlock()
        self.changed.emit(len(self.goods))

    def total(self):
        self.mutex.lock()
        try:
            return 4.2 * len(self.goods)
        finally:
            self.mutex.unlock()


class Till:
    def __init__(self, basket):
        self.basket = basket
        basket.changed.connect(self.show_total)

    def show_total(self, pieces):
        print(pieces, self.basket.total())


def shop(basket, names):
    for name in names:
        basket.add(name)


if __name__ == "__main__":
    application = QCoreApplication([])
    basket = Basket()
    till = Till(basket)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        shop(basket, ["oats", "rye"])
        time.sleep(0.02)
