"""One thread takes the same plain lock twice."""

import threading

from ready import ready


class Cache:
    def __init__(self):
        self.lock = threading.Lock()
        self.items = {}

    def refresh(self):
        with self.lock:
            self.put("key", 1)

    def put(self, key, value):
        ready()
        with self.lock:
            self.items[key] = value


if __name__ == "__main__":
    Cache().refresh()
