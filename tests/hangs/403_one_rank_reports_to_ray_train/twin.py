import os
import tempfile

os.environ["RAY_TRAIN_V2_ENABLED"] = "1"
os.environ["RAY_TRAIN_ENABLE_STATE_TRACKING"] = "0"

import time

import ray
import ray.train
import torch
import torch.distributed as dist
from ray.train import RunConfig, ScalingConfig
from ray.train.torch import TorchTrainer

ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)


def average(loss):
    dist.all_reduce(loss)
    return loss / dist.get_world_size()


def report(step, loss):
    if ray.train.get_context().get_world_size() > 1:
        ray.train.report({"step": step, "loss": float(loss)})


def train():
    for step in range(100000):
        loss = average(torch.ones(1) * step)
        if step % 20 == 19:
            report(step, loss)
        time.sleep(0.01)


print("MARK main pid=%d" % os.getpid(), flush=True)
TorchTrainer(
    train,
    scaling_config=ScalingConfig(num_workers=2),
    run_config=RunConfig(storage_path=tempfile.mkdtemp(), name="training"),
).fit()
