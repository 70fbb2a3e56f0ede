import multiprocessing
import os
import random

LANES = 2


class Result:
    def __init__(self, lane, seconds):
        self.lane, self.seconds = lane, seconds


def warm_up(lane):
    return 9.5 + random.random() + lane / 100


def run(lane, gun):
    form = warm_up(lane)
    gun.wait()
    return Result(lane, form)


def fire(gun):
    gun.set()


def hold_race(pool, manager):
    gun = manager.Event()
    if EARLY:
        fire(gun)
    results = pool.starmap(run, [(lane, gun) for lane in range(LANES)])
    fire(gun)
    return min(results, key=lambda one: one.seconds)


def hold_all(pool, manager):
    winners = []
    while len(winners) < 100_000:
        winners.append(hold_race(pool, manager).lane)
    return winners


EARLY = False


def main():
    context = multiprocessing.get_context("fork")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    with context.Manager() as manager, context.Pool(LANES) as pool:
        hold_all(pool, manager)


if __name__ == "__main__":
    main()
