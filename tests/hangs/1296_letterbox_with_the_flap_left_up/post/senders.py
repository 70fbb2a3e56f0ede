import threading
import time


class Poster(threading.Thread):
    def __init__(self, box, outgoing):
        super().__init__(name="poster", daemon=True)
        self.box = box
        self.outgoing = outgoing

    def run(self):
        while True:
            sender, text = self.outgoing.get()
            self.box.post(sender, text)
            self.outgoing.task_done()


class Heating(threading.Thread):
    def __init__(self):
        super().__init__(name="heating", daemon=True)
        self.degrees = 20

    def run(self):
        while True:
            time.sleep(0.5)
            self.degrees = 19 + self.degrees % 3


def report(outgoing, rounds):
    for number in rounds:
        outgoing.put(("stove", "round %d" % number))
        outgoing.join()
        time.sleep(0.1)
