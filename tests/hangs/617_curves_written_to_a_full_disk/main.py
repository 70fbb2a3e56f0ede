import os
import resource
import tempfile
import time

from tensorboardX import SummaryWriter

QUOTA = 40000


def make_writer():
    return SummaryWriter(tempfile.mkdtemp(prefix="curves-"), flush_secs=1)


def log_step(writer, step, loss):
    writer.add_scalar("loss", loss, step)


def train(writer):
    loss = 1.0
    for step in range(10**9):
        loss *= 0.999
        log_step(writer, step, loss)
        time.sleep(0.002)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_FSIZE, (QUOTA, QUOTA))
    writer = make_writer()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    train(writer)
