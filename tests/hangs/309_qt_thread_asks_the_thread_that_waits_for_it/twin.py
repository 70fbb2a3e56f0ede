import os
import signal

from PySide6.QtCore import QCoreApplication, QObject, Qt, QThread, Signal

signal.alarm(120)


class Scanner(QThread):
    asked = Signal(str)

    def run(self):
        while True:
            self.msleep(20)
            self.asked.emit("overwrite scan.png?")


class Window(QObject):
    answers = 0

    def answer(self, question):
        self.answers += 1


if __name__ == "__main__":
    application = QCoreApplication([])
    window, scanner = Window(), Scanner()
    scanner.asked.connect(window.answer, Qt.ConnectionType.BlockingQueuedConnection)
    print("MARK main pid=%d" % os.getpid())
    scanner.start()
    application.exec()
