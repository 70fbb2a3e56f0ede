"""A program that a package calls again and again, as it fails each time; with an argument, one that
gets through each time.
"""

import sys
import tempfile
from pathlib import Path

from ready import ready

PACKAGE = """
class ChangedError(Exception):
    pass


class Store:
    def __init__(self):
        self.seats = 100

    def transaction(self, func):
        while True:
            before = self.seats
            try:
                func(self)
                return self.commit(before)
            except ChangedError:
                continue

    def commit(self, before):
        sum(range(20_000))
        if self.seats != before:
            raise ChangedError
"""


def book_seat(store):
    store.seats -= len(sys.argv) < 2


def sell(store, guests):
    for guest in guests:
        store.transaction(book_seat)
        print("a seat for", guest)


with tempfile.TemporaryDirectory() as folder:
    place = Path(folder) / "site-packages"
    (place / "stores").mkdir(parents=True)
    (place / "stores" / "__init__.py").write_text(PACKAGE)
    sys.path.insert(0, str(place))
    from stores import Store

    sys.stdout = open("/dev/null", "w")
    ready()
    sell(Store(), ("guest %d" % number for number in range(10_000_000)))
