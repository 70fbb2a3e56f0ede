import threading
import time


class Tide:
    def __init__(self, editions):
        self.editions = editions
        self.level = 0

    def turn(self):
        while True:
            time.sleep(0.3)
            self.level += 1
            self.editions.publish({"level": self.level % 12})


class Pilot(threading.Thread):
    def __init__(self, editions, name):
        super().__init__(name=name, daemon=True)
        self.editions = editions
        self.trips = 0

    def run(self):
        while True:
            with self.editions.open() as sheet:
                time.sleep(0.01 * (1 + sheet["shoal"] % 3))
            self.trips += 1
            time.sleep(0.02)


class Draughtsman:
    def __init__(self, editions, while_reading):
        self.editions = editions
        self.while_reading = while_reading
        self.found = 0

    def sound(self, sheet):
        time.sleep(0.01)
        self.found += 1
        return {"shoal": (sheet["shoal"] + self.found) % 9}

    def survey(self):
        with self.editions.open() as sheet:
            news = self.sound(sheet)
            if self.while_reading and self.found > 5:
                self.editions.publish(news)
                return
        self.editions.publish(news)

    def work(self):
        while True:
            self.survey()
            time.sleep(0.1)
