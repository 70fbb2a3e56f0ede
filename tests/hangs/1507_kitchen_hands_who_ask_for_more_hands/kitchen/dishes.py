import eventlet


class Kitchen:
    def __init__(self, hands, apart):
        self.pool = eventlet.GreenPool(hands)
        self.helpers = eventlet.GreenPool(hands * 4) if apart else self.pool
        self.served = 0

    def chop(self, vegetable):
        eventlet.sleep(0.01)
        return vegetable[::-1]

    def ask_for(self, vegetable):
        return self.helpers.spawn(self.chop, vegetable).wait()

    def cook(self, dish, vegetables):
        eventlet.sleep(0.2)
        asked = [eventlet.spawn(self.ask_for, one) for one in vegetables]
        plate = [one.wait() for one in asked]
        self.served += 1
        return dish, plate


class Waiter:
    def __init__(self, kitchen):
        self.kitchen = kitchen
        self.orders = eventlet.Queue(20)

    def take(self):
        number = 0
        while True:
            self.orders.put(("dish-%d" % number, ["leek", "carrot", "onion"]))
            number += 1
            eventlet.sleep(0.005)

    def bring(self):
        while True:
            dish, vegetables = self.orders.get()
            self.kitchen.pool.spawn_n(self.kitchen.cook, dish, vegetables)
