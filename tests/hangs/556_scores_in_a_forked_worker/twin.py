import multiprocessing
import os
import signal

import jax.numpy as jnp

signal.alarm(120)


class Ranking:
    def __init__(self, size):
        self.size = size

    def score(self, weight):
        weights = jnp.full((self.size, self.size), weight)
        return float((weights @ weights.T).sum())

    def best(self, weights):
        base = self.score(1.0)
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            scores = pool.map(self.score, weights)
        return max(scores) / base


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        Ranking(600).best([0.5, 0.7, 0.9, 1.1])
