"""dask_jobs.py NAME [healthy]: jobs of dask's own threads that hang, and such as do not."""

import sys
import threading
import time

import dask
from distributed import Client, LocalCluster, Lock, get_client, worker_client
from ready import ready

NAME = sys.argv[1]
HEALTHY = sys.argv[2:] == ["healthy"]
dask.config.set({"distributed.admin.tick.limit": "1h"})
left, right = threading.Lock(), threading.Lock()
ledger = threading.Lock()


def load_part(number):
    time.sleep(0.001)
    return number


def step(number):
    asked = [get_client().submit(load_part, one, pure=False) for one in range(number)]
    if HEALTHY:
        return asked[0].status
    return sum(one.result() for one in asked)  # needs a thread of the pool


def pool(client):
    """A job waits for jobs that need the threads that such jobs have."""
    client.gather([client.submit(step, 3, pure=False) for _ in range(2)])


def step_aside(number):
    with worker_client() as inner:  # gives up its thread of the pool meanwhile
        return sum(
            inner.gather([inner.submit(load_part, one, pure=False) for one in range(number)])
        )


def seceded(client):
    """The same, healthy: jobs that wait do so on threads that the pool has replaced."""
    client.gather([client.submit(step_aside, 3, pure=False) for _ in range(2)])


def move(first, second):
    with first:
        time.sleep(0.02)
        with second:  # wants the second
            pass


def ring(client):
    """Two jobs and two locks of threads."""
    back = (left, right) if HEALTHY else (right, left)
    global pairs
    pairs = [(left, right), back]
    client.gather([client.submit(take_pair, number, pure=False) for number in range(2)])


def take_pair(number):
    move(*pairs[number])


def take_named(first, second):
    with Lock(first):
        time.sleep(0.05)
        with Lock(second):
            pass


def cluster_locks(client):
    """The same with locks that the scheduler keeps."""
    back = ("one", "two") if HEALTHY else ("two", "one")
    client.gather(
        [
            client.submit(take_named, "one", "two", pure=False),
            client.submit(take_named, *back, pure=False),
        ]
    )


async def book():
    with ledger:
        return 1


def close_books():
    with ledger:
        time.sleep(0.02)
        client = get_client()
        if HEALTHY:
            return
        client.sync(book)


def across(client):
    """A job has a lock, and waits for a coroutine in the loop, which wants the lock."""
    client.submit(close_books, pure=False).result()


async def stop():
    time.sleep(0.001 if HEALTHY else 600)  # knows nothing of the loop


def blocked(client):
    client.sync(stop)


def busy(client):
    """Many short jobs."""
    client.gather(client.map(load_part, range(40), pure=False))


def settled():
    time.sleep(1.5)
    ready()


def main():
    cluster = LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    )
    client = Client(cluster)
    threading.Thread(target=settled, daemon=True).start()
    while True:
        globals()[NAME](client)


if __name__ == "__main__":
    import dask_jobs  # jobs are sent by the names of their modules, if these can be imported

    dask_jobs.main()
