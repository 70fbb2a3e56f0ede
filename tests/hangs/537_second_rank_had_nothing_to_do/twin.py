import os
import sys

import torch
from lightning.pytorch import LightningModule, Trainer
from torch.utils.data import DataLoader

SHARDS = ["shard-0", "shard-1"]


class Model(LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)

    def training_step(self, batch, number):
        return self.layer(batch).mean()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


def fit():
    trainer = Trainer(
        accelerator="cpu",
        devices=2,
        strategy="ddp",
        max_epochs=1000000,
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    trainer.fit(Model(), DataLoader(torch.ones(4000, 4), batch_size=8))


def main():
    rank = int(os.environ.get("LOCAL_RANK", 0))
    if rank >= len(SHARDS):
        sys.exit(0)
    if rank == 0:
        print("MARK main pid=%d" % os.getpid(), flush=True)
    fit()


if __name__ == "__main__":
    main()
