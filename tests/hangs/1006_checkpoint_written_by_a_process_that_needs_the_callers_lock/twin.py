import contextlib
import fcntl
import os
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint.state_dict_saver import AsyncCheckpointerType


@contextlib.contextmanager
def latest_locked(folder):
    with open(os.path.join(folder, "latest.lock"), "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def publish(folder, name):
    with latest_locked(folder):
        with open(os.path.join(folder, "latest"), "w") as file:
            file.write(name)


class Writer(dcp.FileSystemWriter):
    def finish(self, metadata, results):
        super().finish(metadata, results)
        publish(os.path.dirname(str(self.path)), os.path.basename(str(self.path)))


def start_saving(folder, weights, step):
    path = os.path.join(folder, "step-%d" % step)
    return dcp.async_save(
        {"weights": weights},
        storage_writer=Writer(path),
        async_checkpointer_type=AsyncCheckpointerType.PROCESS,
    )


def save(folder, weights, step):
    with latest_locked(folder):
        saving = start_saving(folder, weights, step)
        if not STRICT:
            return saving
        return saving.result()


def train(folder):
    weights = torch.ones(16)
    step, saving = 0, None
    while True:
        weights += 0.1
        if saving is None or saving.done():
            saving = save(folder, weights, step)
        step += 1
        time.sleep(0.1)


STRICT = False


if __name__ == "__main__":
    dist.init_process_group(
        "gloo", init_method="file://" + tempfile.mktemp(prefix="store-"), rank=0, world_size=1
    )
    print("MARK main pid=%d" % os.getpid(), flush=True)
    train(tempfile.mkdtemp(prefix="run-"))
