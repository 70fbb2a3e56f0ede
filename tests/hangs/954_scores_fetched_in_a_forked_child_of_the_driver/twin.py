import multiprocessing
import os
import time

import ray


@ray.remote
class Scorer:
    def score(self, number):
        return number * 2


def score_in_child(scorer, number):
    print("score", ray.get(scorer.score.remote(number)), flush=True)


def compare(scorer, number):
    mine = ray.get(scorer.score.remote(number))
    child = multiprocessing.get_context("fork").Process(
        target=score_in_child, args=(scorer, number), name="comparer"
    )
    child.start()
    child.join()
    return mine


FORKED = False


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    scorer = Scorer.remote()
    ray.get(scorer.score.remote(1))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        if FORKED:
            compare(scorer, number)
        else:
            score_in_child(scorer, number)
        number += 1
        time.sleep(0.1)
