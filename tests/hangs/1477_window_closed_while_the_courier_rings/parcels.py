import time

from PyQt5.QtCore import QObject, QThread, Qt, pyqtSignal, pyqtSlot


class Courier(QThread):
    arrived = pyqtSignal(int)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.leaving = False
        self.brought = 0

    def deliver(self, parcel):
        self.arrived.emit(parcel)
        self.brought += 1

    def run(self):
        while not self.leaving:
            time.sleep(0.05)
            self.deliver(self.brought)


class Counter(QObject):
    """What the window shows; lives in the thread of the window."""

    def __init__(self):
        super().__init__()
        self.shown = []

    @pyqtSlot(int)
    def show_parcel(self, parcel):
        self.shown = [*self.shown[-20:], parcel]


def connect(courier, counter, polite):
    way = Qt.QueuedConnection if polite else Qt.BlockingQueuedConnection
    courier.arrived.connect(counter.show_parcel, way)
