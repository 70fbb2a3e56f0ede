import queue
import threading

from cacheout import Cache


class Runner(threading.Thread):
    def __init__(self, name, errands, box):
        super().__init__(name=name, daemon=True)
        self.errands = errands
        self.box = box

    def fetch(self, dish):
        parts = self.box.get("parts")
        return ["%s of %s" % (part, dish) for part in parts or ("whole",)]

    def run(self):
        while True:
            dish, reply = self.errands.get()
            reply.put(self.fetch(dish))


class Recipes:
    def __init__(self, inside):
        self.inside = inside
        self.box = Cache(maxsize=64, ttl=300)
        self.errands = queue.Queue()
        for number in range(2):
            Runner("runner-%d" % number, self.errands, self.box).start()

    def ask(self, dish):
        reply = queue.Queue(1)
        self.errands.put((dish, reply))
        return reply.get()

    def of(self, dish):
        if self.inside:
            return self.box.get(dish, default=self.ask)
        recipe = self.box.get(dish)
        if recipe is None:
            recipe = self.ask(dish)
            self.box.set(dish, recipe)
        return recipe
