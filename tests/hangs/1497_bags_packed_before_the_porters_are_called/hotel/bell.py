import threading
import time


class Bell(threading.Thread):
    def __init__(self):
        super().__init__(name="bell", daemon=True)
        self.rung = 0

    def run(self):
        while True:
            self.rung += 1
            time.sleep(0.25)
