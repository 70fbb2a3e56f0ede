import os
import time

import torch
import torch.multiprocessing as mp

BATCH = 8
AHEAD = 1


def wait_for_room(made, version):
    while made >= BATCH * (int(version[0]) + 1 + AHEAD):
        time.sleep(0.02)


def roll_out(samples, version):
    made = 0
    while True:
        wait_for_room(made, version)
        reward = float(made % 5)
        samples.put((int(version[0]), made, reward))
        made += 1


def collect_batch(samples):
    batch = []
    while len(batch) < BATCH:
        sample = samples.get()
        if sample[2] >= WORTH:
            batch.append(sample)
    return batch


def train(samples, version):
    while True:
        batch = collect_batch(samples)
        time.sleep(0.01 * len(batch))
        version[0] += 1


WORTH = 0.0


if __name__ == "__main__":
    context = mp.get_context("spawn")
    version = torch.zeros(1, dtype=torch.int64).share_memory_()
    samples = context.Queue()
    sampler = context.Process(target=roll_out, args=(samples, version), name="sampler", daemon=True)
    sampler.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    train(samples, version)
