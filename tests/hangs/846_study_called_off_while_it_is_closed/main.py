import os
import signal
import time

from archive import Archive
from pynetdicom import AE
from pynetdicom.sop_class import Verification

signal.alarm(120)


class Scanner:
    def __init__(self, archive):
        self.archive = archive
        self.port = archive.open()
        self.entity = AE(ae_title="SCANNER")
        self.entity.add_requested_context(Verification)
        self.entity.acse_timeout = None
        self.entity.network_timeout = None

    def send_study(self):
        assoc = self.entity.associate("127.0.0.1", self.port)
        assoc.send_c_echo()
        assoc.release()
        self.archive.wait_for_close()


def run_shift(scanner):
    while True:
        scanner.send_study()
        time.sleep(0.2)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_shift(Scanner(Archive(3)))
