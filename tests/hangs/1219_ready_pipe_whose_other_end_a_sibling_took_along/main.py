import multiprocessing
import os
import time


class Worker:
    def __init__(self, rank, shard):
        context = multiprocessing.get_context("fork")
        self.ready, writer = context.Pipe(duplex=False)
        self.process = context.Process(
            target=run_worker, args=(rank, shard, writer), name="Worker_TP%d" % rank, daemon=True
        )
        self.process.start()
        if EARLY:
            writer.close()
        self.writer = writer


def load_shard(rank, shard):
    time.sleep(0.3)
    if len(shard) != 4:
        raise ValueError("shard of rank %d has %d layers" % (rank, len(shard)))
    return [layer * 2 for layer in shard]


def run_worker(rank, shard, writer):
    load_shard(rank, shard)
    writer.send({"rank": rank, "pid": os.getpid()})
    serve_steps()


def serve_steps():
    while True:
        time.sleep(0.05)


def wait_for_ready(workers):
    ready = []
    for worker in workers:
        worker.writer.close()
    for worker in workers:
        try:
            ready.append(worker.ready.recv())
        except EOFError:
            print("a worker did not start", flush=True)
    return ready


def start_engine():
    workers = [Worker(rank, shard) for rank, shard in enumerate(SHARDS)]
    return wait_for_ready(workers)


SHARDS = [[1, 2, 3], [4, 5, 6, 7]]
EARLY = False


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    start_engine()
    while True:
        time.sleep(0.05)
