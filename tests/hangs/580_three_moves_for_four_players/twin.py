import os
import signal

import gymnasium
import numpy as np

signal.alarm(120)


def make_table():
    return gymnasium.make("CartPole-v1")


class Trainer:
    def __init__(self, tables):
        self.tables = gymnasium.vector.AsyncVectorEnv([make_table] * tables)
        self.scores = np.zeros(tables)

    def moves(self, seen):
        return [int(angle > 0) for angle in seen[:, 2]]

    def play(self, rounds):
        seen, _ = self.tables.reset(seed=3)
        for _ in range(rounds):
            seen, reward, *_ = self.tables.step(self.moves(seen))
            self.scores += reward


if __name__ == "__main__":
    trainer = Trainer(4)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        trainer.play(100)
