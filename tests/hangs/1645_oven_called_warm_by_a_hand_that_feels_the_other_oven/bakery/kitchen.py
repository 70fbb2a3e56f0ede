import threading
import time


class Kitchen:
    def __init__(self, field):
        self.door = threading.Condition()
        self.field = field
        self.warm = False
        self.hot = False
        self.baked = 0

    def take_out(self):
        with self.door:
            self.door.wait_for(lambda: self.warm)
            self.warm = False
            self.baked += 1
            return self.baked

    def stoke(self):
        with self.door:
            setattr(self, self.field, True)
            self.door.notify_all()

    def bake(self, loaves):
        while True:
            loaves.put(self.take_out())


class Stoker:
    def __init__(self, kitchen):
        self.kitchen = kitchen
        self.logs = 0

    def work(self):
        while True:
            self.logs += 1
            self.kitchen.stoke()
            time.sleep(0.1)
