import threading
import time


class Service(threading.Thread):
    def __init__(self, name, needs, registry):
        super().__init__(name=name, daemon=True)
        self.needs = needs
        self.registry = registry
        self.ready = threading.Event()
        self.served = 0
        self.partners = []

    def open(self):
        for need in self.needs:
            self.partners.append(self.registry.get(need))
        time.sleep(0.05)
        self.ready.set()

    def run(self):
        self.open()
        while True:
            self.served += sum(partner.served for partner in self.partners) % 3 + 1
            time.sleep(0.1)


class Town:
    def __init__(self, registry):
        self.registry = registry
        self.days = 0

    def open_day(self):
        self.registry.start()
        self.registry.get("office")
        self.days += 1

    def rest(self):
        while True:
            time.sleep(0.2)
            self.days += 1
