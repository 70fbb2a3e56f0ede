import os
import signal

from PySide6.QtCore import QCoreApplication, QObject, Qt, QThread, Signal

signal.alarm(120)


class Scanner(QThread):
    asked = Signal(str)

    def run(self):
        self.asked.emit("overwrite scan.png?")


class Window(QObject):
    def answer(self, question):
        print(question)


def close_window(scanner):
    scanner.wait()


if __name__ == "__main__":
    application = QCoreApplication([])
    window, scanner = Window(), Scanner()
    scanner.asked.connect(window.answer, Qt.ConnectionType.BlockingQueuedConnection)
    print("MARK main pid=%d" % os.getpid())
    scanner.start()
    close_window(scanner)
