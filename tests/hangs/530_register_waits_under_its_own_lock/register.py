import threading
from multiprocessing.managers import BaseManager


class Register:
    """Coins of a shop, shared by its processes."""

    def __init__(self):
        self.lock = threading.Lock()
        self.change = threading.Event()
        self.coins = 0

    def pay_out(self, coins):
        with self.lock:
            while self.coins < coins:
                self.change.clear()
                self.change.wait()
            self.coins -= coins

    def pay_in(self, coins):
        with self.lock:
            self.coins += coins
            self.change.set()


class Shop(BaseManager):
    pass


Shop.register("Register", Register)
