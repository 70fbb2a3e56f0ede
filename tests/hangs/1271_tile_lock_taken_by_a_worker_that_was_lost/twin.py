import os
import tempfile
import time

import dask
from distributed import Client, LocalCluster, Lock


def merge_tile(number, folder):
    with Lock("tile-index"):
        first = os.path.join(folder, "tile-%d" % number)
        if not os.path.exists(first):
            open(first, "w").close()
            if CRASHES and number == 3:
                os._exit(9)
        time.sleep(0.02)
    return number * 2


def render(client, folder, round_number):
    tiles = [
        client.submit(merge_tile, round_number * 5 + number, folder, retries=2)
        for number in range(5)
    ]
    return [tile.result() for tile in tiles]


def main():
    dask.config.set({"distributed.scheduler.locks.lease-timeout": "inf"})
    cluster = LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
    )
    client = Client(cluster)
    folder = tempfile.mkdtemp(prefix="tiles-")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    round_number = 0
    while True:
        render(client, folder, round_number)
        round_number += 1


CRASHES = False


if __name__ == "__main__":
    main()
