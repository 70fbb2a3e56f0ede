"""Four ranks of Lightning that hang in a way that its tracker knows: CASE, or its twin, which does
not (CASE well). Lines with a mark are where the odd ranks stand."""

import logging
import os
import sys
import tempfile
import warnings

import lightning
import torch
from torch.utils.data import DataLoader

well = sys.argv[2:] == ["well"]
torch.set_num_threads(1)
warnings.simplefilter("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
STEP = 6


class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)

    def training_step(self, batch, index):
        if index == STEP:
            print("ready", self.global_rank, flush=True)
        return self.layer(batch).sum()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.001)


def checkpoint_in_rank_zero():
    """Only the first rank saves, in a callback, and what saves waits for all ranks."""

    class Saver(lightning.Callback):
        def on_train_batch_end(self, trainer, module, outputs, batch, index):
            if index == STEP and (well or trainer.is_global_zero):
                path = os.path.join(folder, "step.ckpt")
                trainer.save_checkpoint(path)  # odd

    with tempfile.TemporaryDirectory() as folder:
        fit(Saver())  # others


def fit(callback):
    trainer = lightning.Trainer(
        accelerator="cpu",
        devices=int(os.environ["WORLD_SIZE"]),
        strategy="ddp",
        max_epochs=10**6,
        logger=False,
        callbacks=[callback],
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    trainer.fit(Model(), DataLoader(torch.ones(4000, 4), batch_size=4))


{one.__name__: one for one in (checkpoint_in_rank_zero,)}[sys.argv[1]]()
