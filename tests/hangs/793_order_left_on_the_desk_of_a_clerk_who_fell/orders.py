import fakeredis

STREAM, GROUP = "orders", "clerks"


class Orders:
    def __init__(self):
        self.store = fakeredis.FakeStrictRedis()
        self.store.xgroup_create(STREAM, GROUP, id="0", mkstream=True)

    def add(self, dish):
        self.store.xadd(STREAM, {"dish": dish})

    def take(self, clerk):
        found = self.store.xreadgroup(GROUP, clerk, {STREAM: ">"}, count=1, block=0)
        number, order = found[0][1][0]
        return number, order[b"dish"].decode()

    def done(self, number):
        self.store.xack(STREAM, GROUP, number)
