import os
import signal
import time

from kombu import Connection, Queue, pools

signal.alarm(120)

broker = Connection("memory://")
orders, audit = Queue("orders"), Queue("audit")


def publish_audit(number):
    with pools.producers[broker].acquire(block=True) as producer:
        producer.publish({"saw": number}, routing_key="audit", declare=[audit])


def publish_order(number):
    with pools.producers[broker].acquire(block=True) as producer:
        producer.publish({"order": number}, routing_key="orders", declare=[orders])
        publish_audit(number)


if __name__ == "__main__":
    pools.set_limit(2)
    print("MARK main pid=%d" % os.getpid())
    while True:
        publish_order(1)
        time.sleep(0.05)
