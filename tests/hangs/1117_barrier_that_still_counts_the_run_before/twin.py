import mmap
import multiprocessing
import os
import tempfile
import time

ARRIVED, EPOCH = 0, 1


class Barrier:
    def __init__(self, path, parties):
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 16)
        self.parties = parties

    def wait(self, lock):
        with lock:
            epoch = self.memory[EPOCH]
            self.memory[ARRIVED] += 1
            if self.memory[ARRIVED] == self.parties:
                self.memory[ARRIVED] = 0
                self.memory[EPOCH] = (epoch + 1) % 256
                return
        while self.memory[EPOCH] == epoch:
            time.sleep(0.01)


def read_part(path, lock, number, broken):
    barrier = Barrier(path, 2)
    for epoch in range(8):
        time.sleep(0.01 + 0.03 * number)
        if epoch == broken and number == 1:
            raise SystemExit(1)
        barrier.wait(lock)


def run(path, broken):
    lock = multiprocessing.Lock()
    readers = [
        multiprocessing.Process(
            target=read_part, args=(path, lock, number, broken), name="reader-%d" % number
        )
        for number in range(2)
    ]
    for reader in readers:
        reader.start()
    for reader in reversed(readers):
        reader.join()
        if reader.exitcode:
            time.sleep(0.3)
            readers[0].terminate()


def train(folder):
    attempt = 0
    while True:
        path = os.path.join(folder, "epoch-%d" % (attempt if FRESH else 0))
        with open(path, "ab") as file:
            file.truncate(16)
        run(path, 3 if attempt % 2 == 0 else None)
        attempt += 1


FRESH = True


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    train(tempfile.mkdtemp(prefix="job-"))
