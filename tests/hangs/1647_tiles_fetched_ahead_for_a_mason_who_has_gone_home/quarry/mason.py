from prefetch_generator import BackgroundGenerator


class Mason:
    def __init__(self, quarry):
        self.quarry = quarry
        self.laid = 0
        self.ahead = None

    def lay(self, needed):
        self.ahead = BackgroundGenerator(self.quarry.tiles(), max_prefetch=2)
        for count, _tile in enumerate(self.ahead, 1):
            self.laid += 1
            if count >= needed:
                break
