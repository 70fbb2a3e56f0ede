import threading
import time


class Meter(threading.Thread):
    def __init__(self, yard):
        super().__init__(name="meter", daemon=True)
        self.yard = yard
        self.heights = []

    def run(self):
        while True:
            time.sleep(0.2)
            self.heights = [*self.heights[-9:], self.yard.crew[1].height]
