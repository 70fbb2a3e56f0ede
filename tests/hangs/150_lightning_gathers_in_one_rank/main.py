import logging
import os
import warnings

import lightning as L
import torch
from torch.utils.data import DataLoader

warnings.simplefilter("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


class Model(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)

    def training_step(self, batch, index):
        return self.layer(batch).sum()

    def validation_step(self, batch, index):
        return None

    def on_validation_epoch_end(self):
        if self.trainer.is_global_zero:
            self.all_gather(torch.ones(1))

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.001)


if __name__ == "__main__":
    batches = DataLoader(torch.ones(64, 4), batch_size=4, shuffle=False)
    trainer = L.Trainer(
        accelerator="cpu",
        devices=2,
        strategy="ddp",
        max_epochs=100000,
        logger=False,
        barebones=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        num_sanity_val_steps=0,
    )
    if trainer.is_global_zero:
        print("MARK main pid=%d" % os.getpid(), flush=True)
    trainer.fit(Model(), batches, batches)
