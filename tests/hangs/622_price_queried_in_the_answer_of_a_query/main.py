import os
import signal
import sys
import threading

from cassandra.cluster import Cluster

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Catalogue:
    def __init__(self, port):
        self.cluster = Cluster(
            ["127.0.0.1"],
            port=port,
            protocol_version=4,
            schema_metadata_enabled=False,
            token_metadata_enabled=False,
            idle_heartbeat_interval=0,
        )
        self.session = self.cluster.connect()
        self.prices = {}
        self.complete = threading.Event()

    def load(self, shop):
        future = self.session.execute_async("select name from goods where shop = %s", (shop,))
        future.add_callbacks(self.price_goods, self.give_up)
        self.complete.wait()
        return self.prices

    def price_goods(self, rows):
        for (name,) in rows:
            price = self.session.execute("select price from prices where name = %s", (name,))
            self.prices[name] = price.one()
        self.complete.set()

    def give_up(self, error):
        print("no prices:", error, flush=True)
        self.complete.set()


if __name__ == "__main__":
    catalogue = Catalogue(start("cassandra_server"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    catalogue.load("north")
