import asyncio
import os
import signal
import sys

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from qasync import QEventLoop

signal.alarm(120)


class OrderWindow(QWidget):
    def __init__(self, loop):
        super().__init__()
        self.loop = loop
        self.button = QPushButton("Save", self)
        self.button.clicked.connect(self.save_order)
        self.saved = 0

    async def send_order(self):
        await asyncio.sleep(0.05)
        return 1

    def save_order(self):
        sending = asyncio.run_coroutine_threadsafe(self.send_order(), self.loop)
        self.saved += sending.result()


async def use_window(window):
    window.show()
    while True:
        await asyncio.sleep(0.2)
        window.button.click()


if __name__ == "__main__":
    app = QApplication(sys.argv)
    loop = QEventLoop(app)
    asyncio.set_event_loop(loop)
    window = OrderWindow(loop)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    with loop:
        loop.run_until_complete(use_window(window))
