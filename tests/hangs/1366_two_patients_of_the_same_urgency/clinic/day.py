import threading
import time

from clinic.ward import Doctor, Hall, Visitor


class Register(threading.Thread):
    def __init__(self, hall):
        super().__init__(name="register", daemon=True)
        self.hall = hall
        self.lengths = []

    def run(self):
        while True:
            self.lengths = [*self.lengths[-20:], self.hall.waiting.qsize()]
            time.sleep(0.5)


def open_day(families):
    hall = Hall()
    Doctor(hall).start()
    Register(hall).start()
    visitors = [Visitor(hall, visits) for visits in families]
    for visitor in visitors:
        visitor.start()
        time.sleep(0.02)
    return visitors
