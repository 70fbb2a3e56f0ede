import os
import time

from distributed import Client, LocalCluster, worker_client

SHELVES = {"cellar": ["wine", "apples"], "attic": ["trunk"], "house": ["cellar", "attic"]}


def count(shelf):
    time.sleep(0.005)
    parts = SHELVES.get(shelf)
    if parts is None:
        return 1
    return sum(count_parts(shelf, parts))


def count_parts(shelf, parts):
    with worker_client() as client:
        if ROUND and shelf == "attic":
            parts = [*parts, "house"]
        return client.gather(client.map(count, parts))


class Audit:
    def __init__(self, client):
        self.client = client
        self.totals = []

    def total(self, shelf):
        future = self.client.submit(count, shelf)
        self.totals = [*self.totals[-9:], future.result()]
        del future


def main():
    cluster = LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with Client(cluster) as client:
        print("MARK main pid=%d" % os.getpid(), flush=True)
        audit = Audit(client)
        while True:
            audit.total("cellar")
            audit.total("house")
            time.sleep(0.05)


ROUND = False


if __name__ == "__main__":
    main()
