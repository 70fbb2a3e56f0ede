import logging
import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor

log = logging.getLogger("bank")


class Statistics(threading.Thread):
    def __init__(self, ledger):
        super().__init__(name="statistics", daemon=True)
        self.ledger = ledger
        self.seen = []

    def run(self):
        while True:
            time.sleep(0.2)
            self.seen = [*self.seen[-20:], self.ledger.booked]


class Branch:
    def __init__(self, ledger, tellers=3):
        self.ledger = ledger
        self.pool = ThreadPoolExecutor(tellers, thread_name_prefix="teller")
        self.receipts = queue.Queue()

    def serve(self, order):
        kind, *details = order
        if kind == "deposit":
            self.ledger.deposit(*details)
        elif kind == "transfer":
            self.ledger.transfer(*details)
        self.receipts.put(order)
        return order

    def day(self, orders):
        while True:
            done = [self.pool.submit(self.serve, order) for order in orders]
            for one in done:
                log.debug("served %s", one.result())
            time.sleep(0.05)
