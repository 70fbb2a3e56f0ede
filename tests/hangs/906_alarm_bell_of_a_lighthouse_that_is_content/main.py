import os
import sys
import tempfile
import time

from ncclient import manager

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

WORDS = ()


class Lighthouse:
    def __init__(self, path):
        self.device = manager.connect_uds(path=path, timeout=30)
        self.alarms = 0

    def listen(self):
        self.device.create_subscription(stream_name="LAMP")

    def next_alarm(self):
        alarm = self.device.take_notification(block=True)
        self.alarms += 1
        return alarm


class Keeper:
    def __init__(self, lighthouse):
        self.lighthouse = lighthouse
        self.book = []

    def watch(self):
        self.lighthouse.listen()
        while True:
            self.note(self.lighthouse.next_alarm())

    def note(self, alarm):
        self.book.append((time.time(), len(alarm.notification_xml)))
        del self.book[:-50]


def main():
    path = os.path.join(tempfile.mkdtemp(), "lamp.sock")
    start("netconf_server", path, *WORDS)
    keeper = Keeper(Lighthouse(path))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    keeper.watch()


if __name__ == "__main__":
    main()
