import multiprocessing
import os
import signal
import threading
import time


def roll_out(number, rollouts):
    tokens = bytes(SIZES[number])
    time.sleep(0.6 * (number > 0))
    while True:
        rollouts.put((number, tokens))
        time.sleep(0.05)


def guard_memory(workers):
    time.sleep(1.2)
    if LIMITED:
        os.kill(workers[0].pid, signal.SIGKILL)
    time.sleep(1e6)


def update(batch):
    return sum(len(tokens) for number, tokens in batch)


def collect(rollouts):
    return [next_rollout(rollouts) for _ in range(6)]


def next_rollout(rollouts):
    return rollouts.get()


def train(rollouts):
    time.sleep(2)
    while True:
        update(collect(rollouts))


def main():
    context = multiprocessing.get_context("fork")
    rollouts = context.Queue()
    workers = [
        context.Process(
            target=roll_out, args=(number, rollouts), name="rollout-%d" % number, daemon=True
        )
        for number in range(3)
    ]
    for worker in workers:
        worker.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    threading.Thread(target=guard_memory, args=(workers,), name="memory-guard", daemon=True).start()
    train(rollouts)


SIZES = [1 << 20, 1 << 12, 1 << 12]
LIMITED = False


if __name__ == "__main__":
    main()
