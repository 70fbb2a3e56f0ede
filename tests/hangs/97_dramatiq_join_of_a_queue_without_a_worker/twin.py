import os
import signal
import time

import dramatiq
from dramatiq.brokers.stub import StubBroker

signal.alarm(120)
broker = StubBroker()
dramatiq.set_broker(broker)
letters = []


@dramatiq.actor
def write_letter(customer):
    letters[:] = [customer]
    time.sleep(0.1)


def start_worker():
    worker = dramatiq.Worker(broker, queues={"default"}, worker_threads=2)
    worker.start()
    return worker


def wait_for_letters(customers):
    for customer in customers:
        write_letter.send(customer)
    broker.join("default")


if __name__ == "__main__":
    start_worker()
    print("MARK main pid=%d" % os.getpid())
    while True:
        wait_for_letters(["alba", "bruno"])
