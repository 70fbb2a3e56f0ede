import os
import signal
import sys
import threading
import time

import redis

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def listen_orders(client, channel, seen):
    pubsub = client.pubsub()
    pubsub.subscribe(channel)
    for message in pubsub.listen():
        seen.append(message["type"])


def read_stock(client):
    return client.get("stock")


if __name__ == "__main__":
    port = start("redis_server")
    pool = redis.BlockingConnectionPool(
        host="127.0.0.1", port=port, protocol=2, max_connections=2, timeout=None
    )
    client = redis.Redis(connection_pool=pool)
    seen = []
    for n in range(2):
        arguments = (client, f"orders-{n}", seen)
        threading.Thread(target=listen_orders, args=arguments, name=f"orders-{n}").start()
    while len(seen) < 2:
        time.sleep(0.05)
    print("MARK main pid=%d" % os.getpid())
    read_stock(client)
