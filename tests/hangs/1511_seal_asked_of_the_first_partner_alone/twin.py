import logging
import os
import tempfile
import time

import ray
import ray.train
import torch
import torch.distributed as dist
from ray.train import RunConfig, ScalingConfig
from ray.train.collective import broadcast_from_rank_zero
from ray.train.torch import TorchTrainer


class Partnership:
    def __init__(self, alone):
        self.alone = alone
        self.rank = ray.train.get_context().get_world_rank()
        self.weights = torch.zeros(8)
        self.seals = []

    def work(self, day):
        gain = torch.ones(8) * (day % 5 + self.rank)
        dist.all_reduce(gain)
        self.weights = self.weights * 0.9 + gain

    def choose_seal(self, day):
        return broadcast_from_rank_zero({"day": day, "seal": os.urandom(4).hex()})

    def close_books(self, day):
        if self.alone and self.rank:
            return
        self.seals = [*self.seals[-3:], self.choose_seal(day)]


def partner(config):
    torch.set_num_threads(1)
    firm = Partnership(config["alone"])
    day = 0
    while True:
        firm.work(day)
        if day % 20 == 19:
            firm.close_books(day)
        time.sleep(0.01)
        day += 1


def main():
    logging.disable(logging.WARNING)
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)
    trainer = TorchTrainer(
        partner,
        train_loop_config={"alone": ALONE},
        scaling_config=ScalingConfig(num_workers=2),
        run_config=RunConfig(name="firm", storage_path=tempfile.mkdtemp(prefix="firm-")),
    )
    print("MARK main pid=%d" % os.getpid(), flush=True)
    trainer.fit()


ALONE = False


if __name__ == "__main__":
    main()
