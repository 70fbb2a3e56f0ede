import threading


class Latch:
    def __init__(self, count):
        self._left = count
        self._zero = threading.Condition()

    def arrive(self):
        with self._zero:
            self._left -= 1
            if self._left <= 0:
                self._zero.notify_all()

    def rest(self):
        with self._zero:
            self._zero.wait_for(lambda: self._left <= 0)
