import threading
import time


class Stock:
    def __init__(self):
        self.lock = threading.Lock()
        self.left = {"tea": 100}

    def take(self, name):
        with self.lock:
            count = self.left[name]
            time.sleep(0.05)
            self.left[name] = count - 1
            return count


stock = Stock()
