import threading
import time

from cachetools import LRUCache, cached


class Catalogue:
    def __init__(self, looped):
        self.parts = {
            "nail": [],
            "plank": ["nail"],
            "wheel": ["plank", "nail"],
            "cart": ["wheel", "plank"],
        }
        if looped:
            self.parts["wheel"].append("cart")
        self.price = cached(LRUCache(64), condition=threading.Condition())(self.reckon)

    def reckon(self, name):
        time.sleep(0.01)
        return 1 + sum(self.price(part) for part in self.parts[name])
