import threading
from concurrent.futures import Future

from kitchen.recipes import read


class Book:
    """Every card is read once; who comes meanwhile waits for the first."""

    def __init__(self, cards):
        self.cards = cards
        self.guard = threading.Lock()
        self.pages = {}

    def page(self, dish):
        with self.guard:
            future = self.pages.get(dish)
            first = future is None
            if first:
                future = self.pages[dish] = Future()
        if first:
            self.fill(dish, future)
        return future.result()

    def fill(self, dish, future):
        try:
            future.set_result(read(self.cards[dish]))
        except Exception as error:  # noqa: BLE001
            future.set_exception(error)
