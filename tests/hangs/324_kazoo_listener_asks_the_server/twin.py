import os
import signal
import sys
import time

from kazoo.client import KazooClient, KazooState

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def join_cluster(client, state):
    if state == KazooState.CONNECTED:
        client.handler.spawn(client.ensure_path, "/workers")


def read_settings(client):
    return client.get("/settings")


if __name__ == "__main__":
    client = KazooClient("127.0.0.1:%d" % start("zookeeper_server"))
    client.add_listener(lambda state: join_cluster(client, state))
    client.start()
    print("MARK main pid=%d" % os.getpid())
    while True:
        read_settings(client)
        time.sleep(0.02)
