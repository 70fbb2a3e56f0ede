class Shelf:
    def __init__(self, store, name):
        self.store = store
        self.name = name
        self.goods = {}

    def locked(self):
        return self.store.lock("shelf:" + self.name)

    def put(self, good, number):
        with self.locked():
            self.goods[good] = self.goods.get(good, 0) + number

    def fill_up(self, wanted):
        with self.locked():
            for good, number in wanted.items():
                missing = number - self.goods.get(good, 0)
                if missing > 0:
                    self.goods[good] = number
