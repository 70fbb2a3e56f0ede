import logging
import threading
import time

from PyQt5.QtCore import QCoreApplication, QTimer

from parcels import Counter, Courier, connect

log = logging.getLogger("window")


class Window:
    def __init__(self, polite):
        self.app = QCoreApplication([])
        self.counter = Counter()
        self.courier = Courier()
        self.closings = 0
        connect(self.courier, self.counter, polite)

    def close_tab(self):
        time.sleep(0.2)
        self.courier.leaving = True
        self.courier.wait()
        self.closings += 1
        self.open_tab()

    def open_tab(self):
        self.courier.leaving = False
        self.courier.start()

    def show(self):
        self.open_tab()
        self.timer = QTimer()
        self.timer.timeout.connect(self.close_tab)
        self.timer.start(1500)
        return self.app.exec_()


class Backup(threading.Thread):
    def __init__(self):
        super().__init__(name="backup", daemon=True)

    def run(self):
        while True:
            time.sleep(2)


def run(polite):
    Backup().start()
    Window(polite).show()
