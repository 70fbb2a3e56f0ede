import os
import signal
import time

from confluent_kafka import Producer

signal.alarm(120)


class OrderLog:
    def __init__(self):
        self.producer = Producer({"bootstrap.servers": "", "test.mock.num.brokers": 1})

    def note_delivery(self, error, message):
        self.producer.produce("receipts", message.value())

    def write(self, order):
        self.producer.produce("orders", order, on_delivery=self.note_delivery)

    def close(self):
        self.producer.flush()


def close_shop(log):
    for number in range(3):
        log.write(b"order %d" % number)
    log.close()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    log = OrderLog()
    while True:
        close_shop(log)
        time.sleep(0.02)
