import atexit
import os
import subprocess
import sys
import threading
import time

import sysv_ipc

from depot.store import ORDER, RECEIPT


class Front(threading.Thread):
    def __init__(self, tray):
        super().__init__(name="front")
        self.tray = tray
        self.receipts = []

    def order(self, what):
        self.tray.send(what.encode(), type=ORDER)
        receipt, _type = self.tray.receive(type=RECEIPT)
        return receipt.decode()

    def run(self):
        number = 0
        while True:
            number += 1
            self.receipts.append(self.order("crate-%d" % number))
            time.sleep(0.1)


class Scale(threading.Thread):
    def __init__(self):
        super().__init__(name="scale", daemon=True)
        self.weighed = 0

    def run(self):
        while True:
            self.weighed += 1
            time.sleep(0.3)


def depot(kind):
    tray = sysv_ipc.MessageQueue(None, sysv_ipc.IPC_CREX)
    atexit.register(tray.remove)
    here = os.path.dirname(os.path.abspath(__file__))
    path = os.path.join(here, "store.py")
    subprocess.Popen([sys.executable, path, str(tray.key), str(kind)])
    Scale().start()
    front = Front(tray)
    front.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    front.join()
