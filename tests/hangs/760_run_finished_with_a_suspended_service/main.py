import glob
import os
import signal
import tempfile
import time

os.environ.update(WANDB_SILENT="true", WANDB_MODE="offline", WANDB_DIR=tempfile.mkdtemp())
import wandb


def train(run):
    for step in range(20):
        run.log({"loss": 1 / (step + 1)})
        time.sleep(0.01)


def service():
    for path in glob.glob("/proc/[0-9]*/stat"):
        with open(path) as file:
            pid, name, _state, parent = file.read().split()[:4]
        if name == "(wandb-core)" and int(parent) == os.getpid():
            return int(pid)


def suspend_service():
    os.kill(service(), signal.SIGSTOP)


def record(number):
    run = wandb.init(project="shop", name="fit-%d" % number)
    train(run)
    if number == 1:
        suspend_service()
    run.finish()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        record(number)
        number += 1
