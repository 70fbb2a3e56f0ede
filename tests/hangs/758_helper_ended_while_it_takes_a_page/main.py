import os
import time

import torch
import torch.multiprocessing as mp


def score_pages(pages, scores):
    while True:
        page = pages.get()
        scores.put((page, float(torch.ones(64).sum()) + page))


def start_scorers(pages, scores):
    context = mp.get_context("spawn")
    scorers = [
        context.Process(target=score_pages, args=(pages, scores), name="scorer-%d" % number)
        for number in range(3)
    ]
    for scorer in scorers:
        scorer.start()
    return scorers


def score_all(pages, scores, numbers):
    for number in numbers:
        pages.put(number)
    return dict(scores.get() for number in numbers)


def shrink(scorers):
    scorers[0].terminate()
    scorers[0].join()


def retire_the_taker(scorers):
    """The scorer that is in the middle of get keeps the lock of the queue."""
    for scorer in sorted(scorers, key=waits_for_the_pipe, reverse=True)[:1]:
        scorers.remove(scorer)
        scorers.insert(0, scorer)
    shrink(scorers)


def waits_for_the_pipe(scorer):
    with open("/proc/%d/wchan" % scorer.pid) as file:
        return "pipe" in file.read()


if __name__ == "__main__":
    context = mp.get_context("spawn")
    pages, scores = context.Queue(), context.Queue()
    scorers = start_scorers(pages, scores)
    score_all(pages, scores, range(30))
    time.sleep(0.5)
    retire_the_taker(scorers)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        score_all(pages, scores, range(30))
        time.sleep(0.05)
