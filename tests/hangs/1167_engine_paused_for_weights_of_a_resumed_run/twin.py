import multiprocessing
import os
import threading
import time


class Engine:
    def __init__(self):
        self.running = threading.Event()
        self.version = 0

    def roll_out(self, prompts, batches):
        while True:
            prompt = prompts.get()
            self.running.wait()
            batches.put((self.version, prompt[::-1]))

    def load(self, weights):
        while True:
            self.version = weights.get()
            self.running.set()


def run_engine(first, prompts, batches, weights):
    engine = Engine()
    if not first:
        engine.running.set()
    threading.Thread(
        target=engine.roll_out, args=(prompts, batches), name="rollouts", daemon=True
    ).start()
    engine.load(weights)


def train(step, prompts, batches, weights):
    if SEND_AFTER_RESUME:
        weights.put(step)
    while True:
        for number in range(4):
            prompts.put("prompt %d of step %d" % (number, step))
        samples = [batches.get() for _ in range(4)]
        step += len(samples) // 4
        weights.put(step)
        time.sleep(0.02)


SEND_AFTER_RESUME = True


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    prompts, batches, weights = context.Queue(), context.Queue(), context.Queue()
    resumed = 200
    context.Process(
        target=run_engine, args=(resumed, prompts, batches, weights), name="engine", daemon=True
    ).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    train(resumed, prompts, batches, weights)
