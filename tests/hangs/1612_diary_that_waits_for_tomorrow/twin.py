import os
import queue
import subprocess
import sys
import threading
import time


class Diary(threading.Thread):
    def __init__(self):
        super().__init__(name="diary", daemon=ALONE)
        self.entries = queue.Queue()
        self.pages = []

    def run(self):
        while True:
            entry = self.entries.get()
            self.pages = [*self.pages[-9:], entry]


class Walker:
    def __init__(self, rank):
        self.rank = rank
        self.diary = Diary()
        self.diary.start()

    def walk(self, miles):
        import torch
        import torch.distributed as dist

        torch.set_num_threads(1)
        dist.init_process_group("gloo")
        for mile in range(miles):
            step = torch.ones(4)
            dist.all_reduce(step)
            self.diary.entries.put(mile)
        dist.destroy_process_group()


def send_party(miles):
    return subprocess.run(
        [
            sys.executable,
            "-u",
            "-m",
            "torch.distributed.run",
            "--standalone",
            "--nproc-per-node=2",
            __file__,
            str(miles),
        ],
        env=dict(os.environ, OMP_NUM_THREADS="1"),
        stderr=subprocess.DEVNULL,
    ).returncode


def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        send_party(50)
        time.sleep(0.1)


ALONE = True


if __name__ == "__main__":
    if sys.argv[1:]:
        Walker(int(os.environ["RANK"])).walk(int(sys.argv[1]))
    else:
        main()
