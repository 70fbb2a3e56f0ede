import multiprocessing
import os

import gymnasium
import numpy
from gymnasium.vector import AsyncVectorEnv

TURN = multiprocessing.get_context("fork").Barrier(2)


class Duel(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(0, 1, (4,), numpy.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, length):
        self.length = length

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.left = self.length
        return numpy.zeros(4, numpy.float32), {}

    def meet_opponent(self):
        TURN.wait()

    def step(self, action):
        self.meet_opponent()
        self.left -= 1
        return numpy.zeros(4, numpy.float32), 0.0, self.left == 0, False, {}


LENGTHS = (50, 40)


def play():
    players = AsyncVectorEnv([lambda n=n: Duel(n) for n in LENGTHS], context="fork")
    players.reset(seed=1)
    while True:
        players.step(numpy.zeros(2, numpy.int64))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    play()
