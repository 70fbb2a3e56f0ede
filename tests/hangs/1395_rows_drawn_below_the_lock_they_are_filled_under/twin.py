import multiprocessing
import os
import time


class Buffer:
    def __init__(self, manager):
        self.guard = manager.Lock()
        self.rows = manager.Queue()
        self.version = manager.Value("i", 0)


def run_rollouts(buffer):
    row = 0
    while True:
        time.sleep(0.01)
        with buffer.guard:
            buffer.rows.put((buffer.version.value, row))
        row += 1


def take_rows(buffer, count):
    return [buffer.rows.get() for _ in range(count)]


def train_step(buffer, step):
    while buffer.rows.qsize() < 4:
        time.sleep(0.01)
    if WHOLE and step % 10 == 9:
        with buffer.guard:
            rows = take_rows(buffer, 64)
            buffer.version.value += 1
    else:
        rows = take_rows(buffer, 4)
        with buffer.guard:
            buffer.version.value += 1
    return len(rows)


def run_trainer(buffer):
    step = 0
    while True:
        train_step(buffer, step)
        step += 1


def main():
    spawn = multiprocessing.get_context("spawn")
    manager = spawn.Manager()
    buffer = Buffer(manager)
    trainer = spawn.Process(target=run_trainer, args=(buffer,), name="trainer", daemon=True)
    rollouts = spawn.Process(target=run_rollouts, args=(buffer,), name="rollouts", daemon=True)
    trainer.start()
    rollouts.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    trainer.join()


WHOLE = False


if __name__ == "__main__":
    main()
