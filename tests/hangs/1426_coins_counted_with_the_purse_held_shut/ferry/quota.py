import threading
import time


class Quota:
    def __init__(self, size, polite):
        self.lock = threading.Lock()
        self.size = size
        self.left = size
        self.polite = polite

    def spend(self, number):
        while True:
            with self.lock:
                while self.left < number and not self.polite:
                    time.sleep(0.05)
                if self.left >= number:
                    self.left -= number
                    return
            time.sleep(0.05)

    def refill(self):
        with self.lock:
            self.left = self.size
