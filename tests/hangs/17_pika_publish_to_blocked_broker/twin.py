import os
import signal
import sys

import pika

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def publish_order(channel, number):
    channel.basic_publish(exchange="", routing_key="orders", body=b"order %d" % number)


def open_channel(port):
    parameters = pika.ConnectionParameters("127.0.0.1", port, heartbeat=0)
    channel = pika.BlockingConnection(parameters).channel()
    channel.confirm_delivery()
    return channel


if __name__ == "__main__":
    channel = open_channel(start("amqp_server", "slow"))
    print("MARK main pid=%d" % os.getpid())
    number = 0
    while True:
        number += 1
        publish_order(channel, number)
