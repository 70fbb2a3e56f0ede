import multiprocessing
import os
import signal

import faiss
import numpy

signal.alarm(120)


class Gallery:
    def __init__(self, pictures):
        self.pictures = pictures
        self.index = faiss.IndexFlatL2(pictures.shape[1])
        self.index.add(pictures)

    def find_likenesses(self, number):
        _, found = self.index.search(self.pictures[number : number + 100], 3)
        return found.tolist()


gallery = Gallery(numpy.random.rand(5000, 32).astype("float32"))


def find(number):
    return gallery.find_likenesses(number)


def find_all(numbers):
    with multiprocessing.get_context("fork").Pool(2) as clerks:
        while True:
            clerks.map(find, numbers)


if __name__ == "__main__":
    faiss.omp_set_num_threads(4)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    find_all([1, 2, 3])
