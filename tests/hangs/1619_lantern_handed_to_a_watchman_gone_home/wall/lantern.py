import threading


class Place:
    """A man's place in the ring; the lantern is with him when it is lit."""

    def __init__(self, name):
        self.name = name
        self.lit = threading.Event()
        self.next = None


class Ring:
    def __init__(self):
        self.places = []

    def join(self, name):
        place = Place(name)
        self.places.append(place)
        return place

    def close_up(self):
        for place, following in zip(self.places, self.places[1:] + self.places[:1]):
            place.next = following

    def hand_first(self):
        self.places[0].lit.set()

    def take(self, place):
        place.lit.wait()
        place.lit.clear()

    def hand_on(self, place):
        place.next.lit.set()
