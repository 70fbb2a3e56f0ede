import multiprocessing
import threading
import time


class Bakery:
    def __init__(self):
        self.baked = threading.Event()
        self.houses = multiprocessing.get_context("fork")

    def bake(self):
        time.sleep(0.5)
        self.baked.set()
        while True:
            time.sleep(1)

    def open(self):
        oven = self.houses.Process(target=self.bake, name="oven", daemon=True)
        oven.start()
        self.baked.wait()
        return "bread"
