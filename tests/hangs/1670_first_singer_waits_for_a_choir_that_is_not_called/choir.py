import concurrent.futures
import multiprocessing
import os
import threading
import time

place = None


def take_place(places, meeting):
    """Each singer learns its place, and that all the others have theirs."""
    global place
    with places.get_lock():
        place = places.value
        places.value += 1
    meeting.wait()


def sing(verse):
    time.sleep(0.02)
    return (os.getpid(), place, verse)


class Choir:
    def __init__(self, singers, all_at_once):
        context = multiprocessing.get_context("spawn")
        self.singers = singers
        self.all_at_once = all_at_once
        self.heard = 0
        self.pool = concurrent.futures.ProcessPoolExecutor(
            singers,
            mp_context=context,
            initializer=take_place,
            initargs=(context.Value("i", 0), context.Barrier(singers)),
        )

    def rehearse(self):
        if self.all_at_once:
            for done in [self.pool.submit(sing, 0) for _ in range(self.singers)]:
                done.result()

    def verse(self, number):
        return self.pool.submit(sing, number).result()

    def concert(self):
        self.rehearse()
        number = 0
        while True:
            number += 1
            self.verse(number)
            self.heard += 1


class Organist(threading.Thread):
    def __init__(self):
        super().__init__(name="organist", daemon=True)
        self.chords = 0

    def run(self):
        while True:
            time.sleep(0.5)
            self.chords += 1
