import multiprocessing
import os
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def save_all(steps, saved):
    while True:
        step = steps.get()
        time.sleep(0.01)
        for rank, words in enumerate(saved):
            words.put(step)


class Checkpointer:
    def __init__(self, rank, steps, words):
        self.rank = rank
        self.steps = steps
        self.words = words
        self.pending = False

    def save(self, step):
        if self.pending and (self.rank == 0 or EVERY_RANK):
            self.words.get()
        if self.rank == 0:
            self.steps.put(step)
        self.pending = True


def train(rank, folder, steps, saved, begun):
    dist.init_process_group("gloo", init_method="file://" + folder, rank=rank, world_size=2)
    begun.set()
    checkpointer = Checkpointer(rank, steps, saved[rank])
    step = 0
    while True:
        dist.all_reduce(torch.ones(8))
        if step % 5 == 4:
            checkpointer.save(step)
        step += 1
        time.sleep(0.01)


EVERY_RANK = False


if __name__ == "__main__":
    context = mp.get_context("spawn")
    steps, saved = context.Queue(1), [context.Queue(2) for _ in range(2)]
    context.Process(target=save_all, args=(steps, saved), name="saver", daemon=True).start()
    path, begun = os.path.join(tempfile.mkdtemp(prefix="run-"), "meeting"), context.Event()
    for rank in range(2):
        context.Process(
            target=train, args=(rank, path, steps, saved, begun), name="rank-%d" % rank, daemon=True
        ).start()
    begun.wait()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for process in multiprocessing.active_children():
        process.join()
