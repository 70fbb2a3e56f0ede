import os
import threading


class Turn:
    def __init__(self, mine, next_one):
        self.mine = mine
        self.next_one = next_one

    def begin(self):
        self.mine.wait()
        self.mine.clear()

    def switch(self):
        self.next_one.set()
        self.begin()

    def leave(self):
        self.next_one.set()


EXPERTS = {number: float(number + 1) for number in range(8)}


def route(row, layer):
    return EXPERTS[(row * 3 + layer) % WIDTH]


def run_half(turn, rows, results, place):
    turn.begin()
    for layer in range(4):
        rows = [row + int(route(row, layer)) for row in rows]
        turn.switch()
    results[place] = rows
    turn.leave()


def run_batch(rows):
    events = [threading.Event(), threading.Event()]
    results = [None, None]
    middle = len(rows) // 2
    halves = [
        threading.Thread(
            target=run_half,
            args=(Turn(events[place], events[1 - place]), half, results, place),
            name=f"ubatch-{place}",
        )
        for place, half in enumerate((rows[:middle], rows[middle:]))
    ]
    for half in halves:
        half.start()
    events[0].set()
    for half in halves:
        half.join()
    return results


WIDTH = 8


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        run_batch([0, 0, number % 50, 0])
        number += 1
