import os
import tempfile
import time

import ray
import torch
import torch.distributed as dist
from ray import train
from ray.train import RunConfig, ScalingConfig
from ray.train.torch import TorchTrainer


def climb(config):
    rank = train.get_context().get_world_rank()
    torch.set_num_threads(1)
    height = 0.0
    while True:
        height += ascend(rank)
        if rank == 0 or config["together"]:
            send_bulletin(height)
        time.sleep(0.2)


def ascend(rank):
    step = torch.ones(1) * (rank + 1)
    dist.all_reduce(step)
    return float(step)


def send_bulletin(height):
    train.report({"height": height})


TOGETHER = False


def main():
    ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)
    trainer = TorchTrainer(
        climb,
        train_loop_config={"together": TOGETHER},
        scaling_config=ScalingConfig(num_workers=2, resources_per_worker={"CPU": 1}),
        run_config=RunConfig(name="climb", storage_path=tempfile.mkdtemp()),
    )
    print("MARK main pid=%d" % os.getpid(), flush=True)
    trainer.fit()


if __name__ == "__main__":
    main()
