import logging
import os
import socket
import threading
import time

from posthog.client import Client

COUNT_AFTER_A_LOSS = False


def closed_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


class Statistics:
    def __init__(self, port):
        self.lost = 0
        self.client = Client(
            "key-of-the-shop",
            host="http://127.0.0.1:%d" % port,
            on_error=self.note_loss,
            max_retries=0,
            flush_interval=0.05,
        )

    def note_loss(self, error, letters):
        self.lost += len(letters)
        if COUNT_AFTER_A_LOSS:
            self.client.flush()

    def sold(self, number):
        self.client.capture("till-1", "sold", {"number": number})


class Till:
    def __init__(self, statistics):
        self.statistics = statistics
        self.sales = 0

    def sell(self):
        while True:
            self.sales += 1
            self.statistics.sold(self.sales)
            time.sleep(0.3)


def close_quarter(statistics):
    statistics.client.flush()
    return statistics.lost


def main():
    logging.disable(logging.CRITICAL)
    statistics = Statistics(closed_port())
    till = Till(statistics)
    threading.Thread(target=till.sell, name="till", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        time.sleep(0.5)
        close_quarter(statistics)


if __name__ == "__main__":
    main()
