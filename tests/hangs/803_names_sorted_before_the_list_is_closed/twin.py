import os
import signal
import sys
import time

from PySide6.QtCore import QCoreApplication, QProcess

signal.alarm(120)


class Register:
    def __init__(self):
        self.names = ["Tom", "Ida", "Una"]

    def sorted(self):
        sorter = QProcess()
        sorter.start("sort")
        sorter.waitForStarted()
        sorter.write("\n".join(self.names).encode())
        sorter.closeWriteChannel()
        sorter.waitForFinished(-1)
        return bytes(sorter.readAllStandardOutput()).split()


if __name__ == "__main__":
    application = QCoreApplication(sys.argv)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        Register().sorted()
        time.sleep(0.1)
