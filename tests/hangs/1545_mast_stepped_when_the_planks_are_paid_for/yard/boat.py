import time


class Boat:
    """What is to be done, and what has to be done before it."""

    PLAN = {
        "frames": {"keel"},
        "planks": {"frames", "steam"},
        "deck": {"frames"},
        "caulk": {"planks", "deck"},
        "mast": {"deck"},
        "launch": {"caulk", "mast"},
    }

    def __init__(self, oak):
        self.oak = oak
        self.log = []

    def plain(self, name):
        def step():
            time.sleep(0.05)
            self.log.append(name)

        return step

    def planks(self):
        time.sleep(0.1)
        board = self.oak.pop()
        self.log.append("planks of %d" % board)

    def skills(self):
        names = set(self.PLAN) | {"keel", "steam"}
        return {**{name: self.plain(name) for name in names}, "planks": self.planks}
