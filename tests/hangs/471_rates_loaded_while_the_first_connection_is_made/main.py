import os
import signal
import tempfile

from sqlalchemy import QueuePool, create_engine, event, text

signal.alarm(120)


class Shop:
    def __init__(self, path):
        self.rates = {}
        self.engine = create_engine("sqlite:///" + path, poolclass=QueuePool)
        event.listen(self.engine, "first_connect", self.load_rates)

    def load_rates(self, connection, record):
        with self.engine.connect() as connection:
            rows = connection.execute(text("select 'EUR', 1.1"))
            self.rates = dict(rows.all())

    def price(self, number):
        with self.engine.connect() as connection:
            return connection.execute(text("select 2.5")).scalar() * self.rates["EUR"]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        shop = Shop(os.path.join(folder, "shop.db"))
        print("MARK main pid=%d" % os.getpid())
        print(shop.price(7))
