import multiprocessing
import os
import socket
import time

import torch
from accelerate import Accelerator


def read_corpus(step):
    time.sleep(0.02)
    return ["word%d" % (number * step % 97) for number in range(200)]


def longest_word(accelerator, words):
    length = torch.tensor(max(len(word) for word in words))
    return accelerator.gather(length).max()


def prepare_words(accelerator, step):
    with accelerator.main_process_first():
        words = read_corpus(step)
        if INSIDE and step == 5:
            return words, longest_word(accelerator, words)
    return words, longest_word(accelerator, words)


def pretrain(rank, port):
    os.environ.update(
        RANK=str(rank),
        LOCAL_RANK=str(rank),
        WORLD_SIZE="2",
        MASTER_ADDR="127.0.0.1",
        MASTER_PORT=str(port),
    )
    torch.set_num_threads(1)
    accelerator = Accelerator(cpu=True)
    step = 0
    while True:
        prepare_words(accelerator, step)
        time.sleep(0.01)
        step += 1


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main():
    spawn = multiprocessing.get_context("spawn")
    port = free_port()
    ranks = [
        spawn.Process(target=pretrain, args=(rank, port), name="rank-%d" % rank, daemon=True)
        for rank in range(2)
    ]
    for rank in ranks:
        rank.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for rank in ranks:
        rank.join()


INSIDE = False


if __name__ == "__main__":
    main()
