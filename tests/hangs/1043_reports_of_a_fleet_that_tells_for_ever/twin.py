import os
import sys
import time

from pssh.clients import ParallelSSHClient

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

ORDER = "writes 0"


class Fleet:
    def __init__(self, port):
        self.client = ParallelSSHClient(
            ["127.0.0.1"], user="mate", password="anchor", port=port, num_retries=1
        )
        self.reports = []

    def send_order(self, order):
        return self.client.run_command(order)

    def read_reports(self, ships):
        for ship in ships:
            for line in ship.stdout:
                self.reports.append(len(line))

    def muster(self):
        self.read_reports(self.send_order(ORDER))


def main():
    fleet = Fleet(start("ssh_server"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        fleet.muster()
        time.sleep(0.05)


if __name__ == "__main__":
    main()
