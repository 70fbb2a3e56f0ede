import os
import signal
import sys

import confluent_kafka

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def open_producer(port):
    settings = {"bootstrap.servers": f"127.0.0.1:{port}", "message.timeout.ms": 0}
    settings.update({"log_level": 0, "socket.timeout.ms": 300000})
    return confluent_kafka.Producer(settings)


def send_events(producer, events):
    for event in events:
        producer.produce("events", event)
    producer.flush()


if __name__ == "__main__":
    producer = open_producer(start("silent_server"))
    print("MARK main pid=%d" % os.getpid())
    send_events(producer, [b"sold", b"paid"])
