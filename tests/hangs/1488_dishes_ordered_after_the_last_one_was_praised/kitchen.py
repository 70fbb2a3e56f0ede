import threading
import time
from concurrent.futures import ThreadPoolExecutor


class Kitchen:
    def __init__(self, cooks):
        self.cooks = ThreadPoolExecutor(cooks, "cook")

    def cook(self, dish):
        time.sleep(0.05)
        return dish.upper()

    def serve_all(self, wishes):
        return self.cooks.map(self.cook, wishes)


class Radio(threading.Thread):
    def __init__(self):
        super().__init__(name="radio", daemon=True)

    def run(self):
        while True:
            time.sleep(1)
