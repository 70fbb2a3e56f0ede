import threading
from contextlib import ExitStack


class Hall:
    def __init__(self, name):
        self.name = name
        self.lock = threading.Lock()
        self.works = []


class Tour:
    """Has the halls it leads through, until it is over."""

    def __init__(self, halls, keys):
        self.halls = halls
        self.keys = keys

    def close(self):
        self.keys.close()


class House:
    def __init__(self, names):
        self.halls = {name: Hall(name) for name in names}

    def book(self, names, guests):
        with ExitStack() as keys:
            halls = [self.halls[name] for name in sorted(names)]
            for hall in halls:
                keys.enter_context(hall.lock)
            kept = keys.pop_all()
            return self.confirm(halls, kept, guests)

    def confirm(self, halls, keys, guests):
        if guests > 20:
            raise ValueError("a party of %d" % guests)
        return Tour(halls, keys)
