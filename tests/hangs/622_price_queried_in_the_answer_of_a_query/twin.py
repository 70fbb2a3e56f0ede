import os
import signal
import sys

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

    def load(self, shop):
        future = self.session.execute_async("select name from goods where shop = %s", (shop,))
        self.price_goods(future.result())
        return self.prices

    def price_goods(self, rows):
        for (name,) in rows:
            price = self.session.execute("select price from prices where name = %s", (name,))
            self.prices[name] = price.one()


if __name__ == "__main__":
    catalogue = Catalogue(start("cassandra_server"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        catalogue.load("north")
