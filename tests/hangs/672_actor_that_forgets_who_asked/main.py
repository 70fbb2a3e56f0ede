import os
import signal

from thespian.actors import ActorSystem, ActorTypeDispatcher

signal.alarm(120)


class Order:
    def __init__(self, dish, guest=None):
        self.dish = dish
        self.guest = guest


class Meal:
    def __init__(self, dish, guest):
        self.dish = dish
        self.guest = guest


class Kitchen(ActorTypeDispatcher):
    def receiveMsg_Order(self, order, sender):
        self.send(sender, Meal(order.dish, order.guest))


class Waiter(ActorTypeDispatcher):
    kitchen = None

    def receiveMsg_Order(self, order, sender):
        if self.kitchen is None:
            self.kitchen = self.createActor(Kitchen)
        self.send(self.kitchen, Order(order.dish))

    def receiveMsg_Meal(self, meal, sender):
        if meal.guest is not None:
            self.send(meal.guest, meal.dish + " for you")


def eat(dishes):
    system = ActorSystem("multiprocQueueBase")
    try:
        waiter = system.createActor(Waiter)
        return [system.ask(waiter, Order(dish)) for dish in dishes]
    finally:
        system.shutdown()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    eat(["soup", "fish"])
