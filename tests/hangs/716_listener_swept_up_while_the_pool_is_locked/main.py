import os
import signal
import sys

import redis

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Listener:
    def __init__(self, client, desk):
        self.desk = desk
        self.pubsub = client.pubsub()
        self.pubsub.listener = self
        self.pubsub.subscribe("desk-%d" % desk)

    def greeting(self):
        return self.pubsub.get_message(timeout=5)


def visit_desks(client, rounds):
    greetings = 0
    for number in range(rounds):
        listener = Listener(client, number)
        if listener.greeting():
            greetings += 1
    return greetings


if __name__ == "__main__":
    client = redis.Redis(port=start("redis_server"), protocol=2)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    visit_desks(client, 10_000_000)
