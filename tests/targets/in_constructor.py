"""The only thread hangs in a constructor that ran often enough before to be called quickly."""

import threading

from ready import ready

lock = threading.Lock()


class Record:
    def __init__(self, last):
        with lock:  # first
            if last:
                ready()
                with lock:  # again
                    pass


def load():
    for number in range(5000):
        Record(number == 4999)


if __name__ == "__main__":
    load()
