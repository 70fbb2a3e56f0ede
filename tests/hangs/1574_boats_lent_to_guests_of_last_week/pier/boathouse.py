import threading


class Boat:
    def __init__(self, name):
        self.name = name
        self.miles = 0


class Boathouse:
    def __init__(self, names):
        self.changed = threading.Condition()
        self.free = [Boat(name) for name in names]
        self.out = 0

    def take(self):
        with self.changed:
            while not self.free:
                self.changed.wait()
            self.out += 1
            return self.free.pop()

    def give(self, boat):
        with self.changed:
            self.free.append(boat)
            self.out -= 1
            self.changed.notify()
