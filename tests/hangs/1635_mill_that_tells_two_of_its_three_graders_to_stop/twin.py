import os
import queue
import threading
import time

GRADERS = 3
STOPS = 3


def clock(mill):
    while True:
        time.sleep(0.5)
        mill["hours"] += 0.5


def grade(sacks, shelves):
    while True:
        sack = sacks.get()
        if sack is None:
            break
        time.sleep(0.02)
        shelves.put(sack)
    shelves.put(None)


def store(shelves, stored):
    ended = 0
    while ended < GRADERS:
        sack = shelves.get()
        if sack is None:
            ended += 1
        else:
            stored.append(sack)


def main():
    mill = {"hours": 0.0}
    sacks, shelves, stored = queue.Queue(4), queue.Queue(4), []
    threading.Thread(target=clock, args=(mill,), name="clock", daemon=True).start()
    hands = [
        threading.Thread(target=grade, args=(sacks, shelves), name="grader-%d" % n)
        for n in range(GRADERS)
    ]
    hands.append(threading.Thread(target=store, args=(shelves, stored), name="store"))
    for hand in hands:
        hand.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for number in range(COUNT):
        sacks.put(number)
    for _ in range(STOPS):
        sacks.put(None)
    for hand in hands:
        hand.join()


COUNT = 10**6


if __name__ == "__main__":
    main()
