import os
import random
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

signal.alarm(120)


def play_game(barrier, steps):
    for _ in range(steps):
        time.sleep(random.random() / 5)
        barrier.wait()


def play_games(games, threads, steps):
    barrier = threading.Barrier(games)
    with ThreadPoolExecutor(threads, thread_name_prefix="game") as pool:
        for playing in [pool.submit(play_game, barrier, steps) for _ in range(games)]:
            playing.result()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        play_games(4, 4, 10)
