import multiprocessing
import time


class Bell:
    def __init__(self, context):
        self.condition = context.Condition()
        self.rung = context.Value("i", 0)

    def ring(self):
        with self.condition:
            self.rung.value += 1
            self.condition.notify_all()

    def listen(self):
        with self.condition:
            self.condition.wait()

    def listen_since(self, last):
        with self.condition:
            self.condition.wait_for(lambda: self.rung.value > last)


def pick(row, bell, baskets, remembers):
    time.sleep(1.0)
    if remembers:
        bell.listen_since(0)
    else:
        bell.listen()
    number = 0
    while True:
        number += 1
        baskets.put((row, number))
        time.sleep(0.1)


class Orchard:
    def __init__(self, rows, remembers):
        self.context = multiprocessing.get_context("spawn")
        self.bell = Bell(self.context)
        self.baskets = self.context.Queue()
        self.pickers = [
            self.context.Process(
                target=pick,
                name="row-%d" % row,
                args=(row, self.bell, self.baskets, remembers),
                daemon=True,
            )
            for row in range(rows)
        ]
        self.weight = 0

    def open(self):
        for picker in self.pickers:
            picker.start()
        self.bell.ring()

    def weigh(self):
        _row, number = self.baskets.get()
        self.weight += number

    def day(self):
        self.open()
        while True:
            self.weigh()
