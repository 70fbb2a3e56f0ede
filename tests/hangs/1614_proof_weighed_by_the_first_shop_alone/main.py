import logging
import os
import time
import warnings

import lightning as L
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, TensorDataset

warnings.simplefilter("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


class Scale(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.beam = torch.nn.Linear(4, 1)

    def training_step(self, batch, index):
        time.sleep(0.002)
        return self.beam(batch[0]).square().mean()

    def test_step(self, batch, index):
        self.log("weight", self.beam(batch[0]).mean())

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.001)


class Shop:
    def __init__(self):
        self.scale = Scale()
        self.goods = DataLoader(TensorDataset(torch.rand(64, 4)), batch_size=8)

    def trainer(self):
        return L.Trainer(
            accelerator="cpu",
            devices=2,
            strategy="ddp",
            max_epochs=2,
            logger=False,
            enable_checkpointing=False,
            enable_progress_bar=False,
            enable_model_summary=False,
        )

    def proof(self, trainer):
        if trainer.is_global_zero or not BY_ONE:
            trainer.test(self.scale, self.goods, verbose=False)

    def share_wear(self):
        wear = torch.ones(1)
        dist.all_reduce(wear)
        return wear

    def season(self):
        trainer = self.trainer()
        trainer.fit(self.scale, self.goods)
        self.proof(trainer)
        return self.share_wear()


def main():
    torch.set_num_threads(1)
    if "LOCAL_RANK" not in os.environ:
        print("MARK main pid=%d" % os.getpid(), flush=True)
    shop = Shop()
    while True:
        shop.season()


BY_ONE = True


if __name__ == "__main__":
    main()
