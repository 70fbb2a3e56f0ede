import multiprocessing
import time

ctx = multiprocessing.get_context("fork")


class Oven:
    def __init__(self):
        self.loaves = ctx.Value("i", 0)
        self.state = ctx.Condition()

    def bake(self, count):
        with self.state:
            self.loaves.value += count
            self.state.notify()

    def take(self):
        with self.state:
            while self.loaves.value < 1:
                self.state.wait()
            self.loaves.value -= 1


class Counter(ctx.Process):
    def __init__(self, oven, sold, name):
        super().__init__(name=name, daemon=True)
        self.oven = oven
        self.sold = sold

    def run(self):
        while True:
            self.oven.take()
            with self.sold.get_lock():
                self.sold.value += 1
            time.sleep(0.05)
