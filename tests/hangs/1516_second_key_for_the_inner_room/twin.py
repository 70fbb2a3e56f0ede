import os
import time

from distributed import Client, LocalCluster, Semaphore

KEYS = "archive-keys"


class Rooms:
    """Rooms of the archive, of which two may be open."""

    def __init__(self):
        self.keys = Semaphore(max_leases=2, name=KEYS)

    def read_index(self, room):
        with self.keys:
            time.sleep(0.02)
            return self.read_shelves(room)

    def read_shelves(self, room):
        if not INNER:
            return self.weigh(room)
        with self.keys:
            return self.weigh(room)

    def weigh(self, room):
        time.sleep(0.01)
        return len(room)


def visit(room, _day):
    return Rooms().read_index(room)


class Archive:
    def __init__(self, client):
        self.client = client
        self.sums = []

    def count_day(self, day):
        futures = [self.client.submit(visit, room, day) for room in ("maps", "letters")]
        self.sums = [*self.sums[-5:], sum(self.client.gather(futures))]


def main():
    cluster = LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with Client(cluster) as client:
        print("MARK main pid=%d" % os.getpid(), flush=True)
        archive = Archive(client)
        day = 0
        while True:
            archive.count_day(day)
            day += 1


INNER = False


if __name__ == "__main__":
    main()
