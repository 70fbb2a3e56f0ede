import threading
import time


class Quarry:
    def __init__(self, rows):
        self.gate = threading.Lock()
        self.rows = rows

    def tiles(self):
        with self.gate:
            while self.rows:
                self.rows -= 1
                time.sleep(0.01)
                yield self.rows

    def restock(self, rows):
        with self.gate:
            self.rows += rows
