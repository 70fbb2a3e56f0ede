import os
import queue
import random
import threading
import time
import warnings

from office.register import Register


class Clerk(threading.Thread):
    def __init__(self, name, register, slips):
        super().__init__(name=name, daemon=True)
        self.register = register
        self.slips = slips

    def run(self):
        while True:
            customer, amount = self.slips.get()
            self.register.enter(customer, amount)
            self.slips.task_done()


class Lister(threading.Thread):
    def __init__(self, register):
        super().__init__(name="lister", daemon=True)
        self.register = register
        self.length = 0

    def run(self):
        while True:
            self.length = len(self.register.listed())
            time.sleep(0.2)


class Fan(threading.Thread):
    def __init__(self):
        super().__init__(name="fan", daemon=True)
        self.turns = 0

    def run(self):
        while True:
            self.turns += 1
            time.sleep(0.3)


def open_office(strict):
    register = Register(strict)
    warnings.showwarning = register.remark
    warnings.simplefilter("always")
    slips = queue.Queue(20)
    for one in (Clerk("anna", register, slips), Clerk("boris", register, slips)):
        one.start()
    Lister(register).start()
    Fan().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    chance = random.Random(4)
    while True:
        slips.put(("customer-%d" % chance.randrange(30), chance.randrange(1000)))
        time.sleep(0.005)
