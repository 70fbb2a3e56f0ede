"""A callback that a reader calls in its own thread waits until that thread has ended, as one that
ends a connection does; somebody waits for what it would say afterwards."""

import threading
import time

from ready import ready


class Line:
    def __init__(self):
        self.reader = threading.Thread(target=self.read, name="reader", daemon=True)
        self.closed = threading.Event()
        self.stopped = False

    def read(self):
        self.on_goodbye()

    def close(self):
        self.stopped = True
        while self.reader.is_alive():
            time.sleep(0.01)

    def on_goodbye(self):
        self.close()
        self.closed.set()


line = Line()
line.reader.start()
ready()
line.closed.wait()
