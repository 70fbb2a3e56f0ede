import os
import sys
import time
import uuid

from smbprotocol.connection import Connection
from smbprotocol.exceptions import SMBException

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

OFFICE = ("silent_server", "slow", 0.3)


class Harbour:
    def __init__(self, port):
        self.port = port
        self.manifests = []
        self.refused = 0

    def call_office(self):
        office = Connection(uuid.uuid4(), "127.0.0.1", self.port)
        office.connect(timeout=None)
        return office

    def fetch_manifest(self):
        try:
            office = self.call_office()
        except (SMBException, OSError, ValueError):
            self.refused += 1
            return
        self.manifests.append(office.dialect)
        office.disconnect()


def main():
    harbour = Harbour(start(*OFFICE))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        harbour.fetch_manifest()
        time.sleep(0.05)


if __name__ == "__main__":
    main()
