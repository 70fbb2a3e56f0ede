from pyrate_limiter import Duration, Limiter, Rate


class Outbox:
    def __init__(self, count, duration=Duration.DAY):
        self.limiter = Limiter(Rate(count, duration))

    def send(self, kind, name):
        self.limiter.try_acquire(kind)
        print("%s to %s" % (kind, name))
