import logging
import threading
import time

from statemachine import State, StateMachine

log = logging.getLogger("bakery.oven")


class Oven(StateMachine):
    cold = State(initial=True)
    heating = State()
    baking = State()
    cooling = State()

    fire = cold.to(heating)
    load = heating.to(baking)
    take_out = baking.to(cooling)
    rest = cooling.to(cold)

    def __init__(self, probe, patient):
        self.probe = probe
        self.patient = patient
        self.hot = threading.Event()
        self.batches = 0
        super().__init__()

    def on_enter_heating(self):
        self.probe.watch(self)
        if self.patient:
            self.hot.wait()

    def on_enter_baking(self):
        self.hot.set()
        self.batches += 1
        log.info("batch %d is in", self.batches)

    def on_exit_cooling(self):
        self.hot.clear()


class Probe(threading.Thread):
    def __init__(self):
        super().__init__(name="probe", daemon=True)
        self.asked = threading.Semaphore(0)
        self.oven = None
        self.readings = []

    def watch(self, oven):
        self.oven = oven
        self.asked.release()

    def run(self):
        while True:
            self.asked.acquire()
            for degrees in range(180, 260, 20):
                time.sleep(0.05)
                self.readings.append(degrees)
            self.oven.send("load")
