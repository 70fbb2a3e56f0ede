import os
import select
import subprocess
import sys
import time


def report(epoch):
    sys.stdout.write("epoch %d done%s" % (epoch, LINE_END))
    sys.stdout.flush()


def await_go():
    return sys.stdin.readline()


def train():
    epoch = 0
    while True:
        time.sleep(0.05)
        report(epoch)
        await_go()
        epoch += 1


def allow(trainer, epoch):
    trainer.stdin.write("go %d\n" % epoch)
    trainer.stdin.flush()


def follow(trainer):
    epoch = 0
    while True:
        if not select.select([trainer.stdout], [], [], 0.5)[0]:
            continue
        line = trainer.stdout.readline()
        if "done" in line:
            allow(trainer, epoch)
            epoch += 1


def launch():
    trainer = subprocess.Popen(
        [sys.executable, "-u", __file__, "train"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    print("MARK main pid=%d" % os.getpid(), flush=True)
    follow(trainer)


LINE_END = "\n"


if __name__ == "__main__":
    train() if sys.argv[1:] == ["train"] else launch()
