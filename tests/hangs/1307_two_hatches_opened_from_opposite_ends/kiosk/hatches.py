import os


class Hatches:
    """Two named pipes: orders go out, drinks come in."""

    def __init__(self, folder):
        self.orders = os.path.join(folder, "orders")
        self.drinks = os.path.join(folder, "drinks")

    def build(self):
        os.mkfifo(self.orders)
        os.mkfifo(self.drinks)

    def open_front(self):
        drinks = open(self.drinks, encoding="utf-8")
        orders = open(self.orders, "w", encoding="utf-8", buffering=1)
        return orders, drinks
