import multiprocessing
import os
import time


class Judge:
    def __init__(self, number, verdicts):
        self.number = number
        self.verdicts = verdicts

    def rate(self, stories):
        time.sleep(0.05)
        return [len(story) % 7 for story in stories] * 4096

    def leave(self):
        if WAITS:
            self.verdicts.close()
            self.verdicts.join_thread()
        os._exit(0)


def run_judge(number, stories, verdicts):
    judge = Judge(number, verdicts)
    verdicts.put((number, judge.rate(stories)))
    if number == 1:
        judge.leave()


def run_exporter(gauges):
    while True:
        gauges.get()


def rate_epoch(context, stories, gauges):
    verdicts = context.Queue()
    judges = [
        context.Process(
            target=run_judge,
            args=(number, stories[number::2], verdicts),
            name="judge-%d" % number,
            daemon=True,
        )
        for number in range(2)
    ]
    for judge in judges:
        judge.start()
    rated = dict(verdicts.get() for _ in judges)
    for judge in judges:
        judge.join()
    gauges.put(len(rated))
    return rated


def main():
    spawn = multiprocessing.get_context("spawn")
    gauges = spawn.Queue()
    spawn.Process(target=run_exporter, args=(gauges,), name="exporter", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        rate_epoch(spawn, ["once upon a time"] * 64, gauges)


WAITS = True


if __name__ == "__main__":
    main()
