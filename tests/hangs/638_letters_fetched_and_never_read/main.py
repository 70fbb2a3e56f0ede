import gevent.monkey

gevent.monkey.patch_all()

import os
import signal
import sys

import gevent
from geventhttpclient import HTTPClient

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Mailbox:
    def __init__(self, port):
        self.client = HTTPClient("127.0.0.1", port, concurrency=2)
        self.unread = []

    def fetch(self, letter):
        response = self.client.get("/small?letter=%d" % letter)
        if response.status_code == 200:
            self.unread.append((letter, response))


def collect(mailbox, letters):
    jobs = [gevent.spawn(mailbox.fetch, letter) for letter in letters]
    gevent.joinall(jobs)
    return len(mailbox.unread)


def blink():
    while True:
        gevent.sleep(1)


if __name__ == "__main__":
    mailbox = Mailbox(start("http_server"))
    gevent.spawn(blink)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    collect(mailbox, range(5))
