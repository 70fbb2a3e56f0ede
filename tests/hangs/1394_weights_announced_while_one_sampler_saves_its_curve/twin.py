import multiprocessing
import os
import time


class Weights:
    def __init__(self, context):
        self.version = context.Value("i", 0)
        self.changed = context.Condition()

    def publish(self):
        with self.changed:
            self.version.value += 1
            self.changed.notify_all()

    def next_version(self, seen):
        with self.changed:
            if LOOKS:
                self.changed.wait_for(lambda: self.version.value > seen)
            else:
                self.changed.wait()
            return self.version.value


def save_curve(number, version):
    if number == 1 and version % 20 == 10:
        time.sleep(0.4)


def run_sampler(number, weights, samples, ready):
    version = 0
    ready.release()
    while True:
        version = weights.next_version(version)
        time.sleep(0.01)
        samples.put((number, version, [version] * 8))
        save_curve(number, version)


def train(weights, samples):
    while True:
        weights.publish()
        batch = [samples.get() for _ in range(2)]
        time.sleep(0.02 * len(batch))


def main():
    spawn = multiprocessing.get_context("spawn")
    weights, samples, ready = Weights(spawn), spawn.Queue(), spawn.Semaphore(0)
    for number in range(2):
        spawn.Process(
            target=run_sampler,
            args=(number, weights, samples, ready),
            name="sampler-%d" % number,
            daemon=True,
        ).start()
    for number in range(2):
        ready.acquire()
    time.sleep(0.5)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    train(weights, samples)


LOOKS = True


if __name__ == "__main__":
    main()
