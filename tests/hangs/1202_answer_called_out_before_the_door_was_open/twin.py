import os
import sys
import threading
import time

import redis

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start


def open_store(port):
    return redis.Redis(port=port, protocol=2, decode_responses=True, socket_timeout=None)


class Clerk:
    def __init__(self, port):
        self.store = open_store(port)

    def serve(self):
        while True:
            _, question = self.store.blpop(["questions"], timeout=0)
            number, _, words = question.partition(" ")
            time.sleep(THINKING)
            self.store.publish("answer:" + number, words[::-1])


class Office:
    def __init__(self, port):
        self.store = open_store(port)
        self.asked = 0

    def note(self, number):
        self.store.hset("asked", number, time.time())
        time.sleep(0.2)

    def ask(self, words):
        self.asked += 1
        self.store.rpush("questions", "%d %s" % (self.asked, words))
        self.note(self.asked)
        with self.store.pubsub(ignore_subscribe_messages=True) as line:
            line.subscribe("answer:%d" % self.asked)
            for message in line.listen():
                if message["type"] == "message":
                    return message["data"]


def run_office():
    port = start("fake_redis_server")
    clerk = Clerk(port)
    threading.Thread(target=clerk.serve, name="clerk", daemon=True).start()
    office = Office(port)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        office.ask("where is the key")


THINKING = 0.6


if __name__ == "__main__":
    run_office()
