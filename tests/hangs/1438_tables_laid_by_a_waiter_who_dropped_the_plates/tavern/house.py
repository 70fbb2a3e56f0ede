import logging
import multiprocessing
import threading
import time

from tavern.floor import lay_tables, sweep


class Bell(threading.Thread):
    def __init__(self):
        super().__init__(name="bell", daemon=True)
        self.strokes = 0

    def run(self):
        while True:
            time.sleep(0.3)
            self.strokes += 1


class Tavern:
    def __init__(self, plates):
        self.manager = multiprocessing.Manager()
        self.state = self.manager.Namespace(ready=False, laid=0)
        self.log = self.manager.list()
        self.plates = plates
        self.guests = 0

    def start(self):
        staff = [(lay_tables, (self.state, self.plates, self.log)), (sweep, (self.log,))]
        for work, given in staff:
            name = work.__name__
            multiprocessing.Process(target=work, args=given, name=name, daemon=True).start()
        Bell().start()

    def wait_until_laid(self):
        while not self.state.ready:
            time.sleep(0.05)
        logging.info("%d tables", self.state.laid)

    def evening(self):
        self.wait_until_laid()
        while True:
            self.guests += 1
            self.log.append("guest %d" % self.guests)
            time.sleep(0.2)
