import threading
import time


class Storm(Exception):
    pass


class Trip:
    def __init__(self, house, guest):
        self.house = house
        self.guest = guest
        self.boat = house.take()

    def sail(self):
        time.sleep(0.01)
        if self.guest % 6 == 5:
            raise Storm(self.guest)
        self.boat.miles += self.guest % 4

    def end(self):
        self.house.give(self.boat)


class Log:
    def __init__(self, house, tidy):
        self.house = house
        self.tidy = tidy
        self.lock = threading.Lock()
        self.open_trips = {}

    def storm(self, trip):
        with self.lock:
            self.open_trips[trip.guest] = trip
            if self.tidy:
                self.open_trips.pop(trip.guest).end()


class Clerk(threading.Thread):
    def __init__(self, number, house, log, guests):
        super().__init__(name="clerk-%d" % number, daemon=True)
        self.house = house
        self.log = log
        self.guests = guests

    def serve(self, guest):
        trip = Trip(self.house, guest)
        try:
            trip.sail()
        except Storm:
            self.log.storm(trip)
        else:
            trip.end()

    def run(self):
        while True:
            self.serve(self.guests.get())


def beach(guests):
    number = 0
    while True:
        guests.put(number)
        number += 1
        time.sleep(0.005)
