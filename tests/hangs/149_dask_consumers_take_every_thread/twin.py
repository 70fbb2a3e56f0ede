import os
import time

from distributed import Client, LocalCluster, Queue


def consume(queue):
    return queue.get()


def produce(queue):
    time.sleep(0.01)
    queue.put(1)
    queue.put(2)
    return 0


def gather_all(client):
    queue = Queue("parts", client=client)
    jobs = [client.submit(produce, queue, pure=False, priority=1)]
    jobs += [client.submit(consume, queue, pure=False) for _ in range(2)]
    return client.gather(jobs)


if __name__ == "__main__":
    cluster = LocalCluster(
        n_workers=1, threads_per_worker=2, processes=True, dashboard_address=None
    )
    client = Client(cluster)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        gather_all(client)
