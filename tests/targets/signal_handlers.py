"""A program of one thread that waits for an answer in vain, and handles signals in many ways."""

import logging
import os
import signal
import sys
import threading

from ready import ready

LOG = logging.getLogger("shop")


class Shop:
    def __init__(self):
        self.open = True
        self.seen = []
        self.bell = threading.Event()

    def close(self, number, frame):
        sys.exit(0)

    def give_up(self, number, frame):
        raise SystemExit(1)

    def tell(self, number, frame):
        LOG.info("asked by %s", signal.Signals(number).name)

    def mark(self, number, frame):
        self.seen.append(number)
        self.open = False

    def ring(self, number, frame):
        self.bell.set()

    def hurry(self, number, frame):
        raise TimeoutError

    def nothing(self, number, frame):
        pass

    def stay(self, number, frame):
        try:
            sys.exit(0)
        except SystemExit:
            return


def checks_workers():
    """As PyTorch's DataLoader has them looked after."""
    text = """
def make(check, previous_handler):
    def handler(number, frame):
        check()
        if previous_handler is not None:
            previous_handler(number, frame)

    return handler
"""
    made = {}
    exec(compile(text, "/site-packages/torch/utils/data/_utils/signal_handling.py", "exec"), made)
    return made["make"](print, None)


def handle(shop):
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    signal.signal(signal.SIGHUP, shop.close)
    signal.signal(signal.SIGQUIT, shop.give_up)
    signal.signal(signal.SIGUSR1, shop.tell)
    signal.signal(signal.SIGUSR2, shop.mark)
    signal.signal(signal.SIGCHLD, checks_workers())
    if sys.argv[1:] == ["all"]:
        signal.signal(signal.SIGIO, shop.ring)
        signal.signal(signal.SIGPROF, shop.hurry)
        signal.signal(signal.SIGURG, shop.nothing)
        signal.signal(signal.SIGTTIN, shop.stay)
        signal.signal(signal.SIGTTOU, shop.bell.set)


def main():
    shop, asked = Shop(), threading.Lock()
    handle(shop)
    asked.acquire()
    ready()
    asked.acquire()


main()
