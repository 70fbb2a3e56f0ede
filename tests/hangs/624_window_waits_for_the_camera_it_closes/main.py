import os
import queue
import signal
import sys

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QThread, QTimer, Signal
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow

signal.alarm(120)


class Camera(QThread):
    picture = Signal(int)

    def __init__(self, frames):
        super().__init__()
        self.frames = frames

    def run(self):
        while True:
            frame = self.next_frame()
            self.picture.emit(frame)

    def next_frame(self):
        return self.frames.get()


class Cockpit(QMainWindow):
    def __init__(self):
        super().__init__()
        self.label = QLabel("no picture")
        self.setCentralWidget(self.label)
        self.frames = queue.Queue()
        self.camera = Camera(self.frames)
        self.camera.picture.connect(self.show_picture)
        self.camera.start()
        self.shutter = QTimer(self)
        self.shutter.timeout.connect(lambda: self.frames.put(1))
        self.shutter.start(40)

    def show_picture(self, number):
        self.label.setText("picture %d" % number)

    def closeEvent(self, event):
        self.shutter.stop()
        self.camera.quit()
        self.camera.wait()
        event.accept()


if __name__ == "__main__":
    app = QApplication(sys.argv[:1])
    cockpit = Cockpit()
    cockpit.show()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    QTimer.singleShot(1000, cockpit.close)
    app.exec()
