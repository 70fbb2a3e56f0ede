import os
import threading
import time

from kombu import Connection, Exchange, Queue
from kombu.pools import producers

ORDERS = Exchange("orders", type="direct", durable=False)
BOOK = Queue("kitchen", ORDERS, routing_key="cake", durable=False)


class Waiter:
    def __init__(self, connection, counter):
        self.connection = connection
        self.counter = counter

    def take_orders(self, dishes):
        for dish in dishes:
            time.sleep(0.02)
            with producers[self.connection].acquire(block=True) as producer:
                producer.publish({"dish": dish}, exchange=ORDERS, routing_key=self.counter)


class Kitchen:
    def __init__(self, connection):
        self.connection = connection
        self.orders = []

    def on_order(self, body, message):
        self.orders.append(body["dish"])
        message.ack()

    def next_order(self):
        while not self.orders:
            self.connection.drain_events()
        return self.orders.pop(0)

    def work(self, count):
        with self.connection.Consumer([BOOK], callbacks=[self.on_order]):
            return [self.next_order() for _ in range(count)]


def serve_evening(connection, counter):
    waiter = Waiter(connection, counter)
    dishes = ["plum cake", "tart"]
    serving = threading.Thread(target=waiter.take_orders, args=(dishes,), name="waiter")
    with connection.clone() as line:
        kitchen = Kitchen(line)
        BOOK(line.default_channel).declare()
        serving.start()
        served = kitchen.work(len(dishes))
    serving.join()
    return served


COUNTER = "cakes"


if __name__ == "__main__":
    with Connection("memory://") as connection:
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            serve_evening(connection, COUNTER)
