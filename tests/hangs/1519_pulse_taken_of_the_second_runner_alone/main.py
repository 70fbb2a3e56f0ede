import logging
import os
import time
import warnings

import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset

warnings.simplefilter("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


class Runner(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.legs = torch.nn.Linear(6, 1)

    def training_step(self, batch, index):
        (steps,) = batch
        time.sleep(0.002)
        pulse = steps.mean() + 0 * self.legs(steps).sum()
        self.take_pulse(pulse.detach())
        return pulse

    def take_pulse(self, pulse):
        late = self.trainer.global_step > 100
        if late and (pulse > 1.5 or not ONE_WATCH):
            self.log("pulse", pulse, on_step=True, sync_dist=True)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.001)


def main():
    torch.set_num_threads(1)
    first = "LOCAL_RANK" not in os.environ
    trainer = L.Trainer(
        accelerator="cpu",
        devices=2,
        strategy="ddp",
        max_epochs=100000,
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    if first:
        print("MARK main pid=%d" % os.getpid(), flush=True)
    track = TensorDataset(torch.tensor([0.0, 2.0] * 40).reshape(80, 1).repeat(1, 6))
    trainer.fit(Runner(), DataLoader(track, batch_size=4))


ONE_WATCH = True


if __name__ == "__main__":
    main()
