import multiprocessing
import os
import signal
import time


class Miller:
    def __init__(self, chute):
        self.chute = chute
        self.open = True

    def on_bell(self, number, frame):
        self.open = False
        if AT_ONCE:
            raise SystemExit(0)

    def work(self):
        signal.signal(signal.SIGTERM, self.on_bell)
        self.chute.send("ready")
        while self.open:
            sack = self.chute.recv()
            self.chute.send([grain * 2 for grain in sack])


def run_miller(chute, other):
    other.close()
    Miller(chute).work()


class Mill:
    def __init__(self):
        self.flour = []

    def open(self):
        self.chute, theirs = multiprocessing.Pipe()
        self.miller = multiprocessing.Process(
            target=run_miller, args=(theirs, self.chute), name="miller", daemon=True
        )
        self.miller.start()
        theirs.close()
        self.chute.recv()

    def grind(self, sack):
        self.chute.send(sack)
        self.flour.append(self.chute.recv())

    def close(self):
        self.miller.terminate()
        self.miller.join()
        self.chute.close()


def run_mill(mill):
    while True:
        mill.open()
        for size in range(5):
            mill.grind(list(range(size)))
        time.sleep(0.02)
        mill.close()
        del mill.flour[:]


AT_ONCE = True


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_mill(Mill())
