import multiprocessing
import os
import time
from datetime import timedelta

from torch.distributed import QueueEmptyError, TCPStore


class Reader:
    def __init__(self, number, port):
        self.number = number
        self.store = TCPStore("127.0.0.1", port, is_master=False, timeout=timedelta(hours=1))
        self.ahead = []

    def next_part(self):
        while True:
            try:
                return self.store.queue_pop("parts", False)
            except QueueEmptyError:
                time.sleep(0.01)

    def take_part(self):
        time.sleep(0.05 * self.number)
        return self.ahead.pop() if self.ahead else self.next_part()

    def read_ahead(self, step):
        if self.number == 0 and step >= 10:
            self.ahead.append(self.next_part())

    def run(self):
        step = 0
        while True:
            part = self.take_part()
            if AHEAD:
                self.read_ahead(step)
            time.sleep(0.005)
            self.store.set("read-%d-%d" % (step, self.number), part)
            self.store.wait(["step-%d" % step])
            step += 1


def run_reader(number, port):
    Reader(number, port).run()


def train_step(store, step):
    for part in range(2):
        store.queue_push("parts", "part %d of %d" % (part, step))
        time.sleep(0.01)
    store.wait(["read-%d-%d" % (step, number) for number in range(2)])
    store.set("step-%d" % step, "done")


def main():
    spawn = multiprocessing.get_context("spawn")
    server = TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    store = TCPStore("127.0.0.1", server.port, is_master=False, timeout=timedelta(hours=1))
    for number in range(2):
        spawn.Process(
            target=run_reader, args=(number, server.port), name="reader-%d" % number, daemon=True
        ).start()
        time.sleep(2)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    step = 0
    while True:
        train_step(store, step)
        step += 1


AHEAD = True


if __name__ == "__main__":
    main()
