import logging
import os
import subprocess
import sys
import tempfile
import warnings

import lightning as L
import requests
import torch
from lightning.pytorch.plugins.io import AsyncCheckpointIO, TorchCheckpointIO
from torch.utils.data import DataLoader

warnings.simplefilter("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
SERVER = os.path.join(os.path.dirname(__file__), "..", "common", "silent_server.py")


def start_store():
    server = subprocess.Popen([sys.executable, SERVER], stdout=subprocess.PIPE, text=True)
    return "http://127.0.0.1:%d/states" % int(server.stdout.readline())


class UploadIO(TorchCheckpointIO):
    def save_checkpoint(self, checkpoint, path, storage_options=None):
        super().save_checkpoint(checkpoint, path)
        if UPLOADS:
            self.upload(path)

    def upload(self, path):
        with open(path, "rb") as file:
            requests.put(URL, data=file.read())


UPLOADS = True


class Model(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)

    def training_step(self, batch, index):
        return self.layer(batch).sum()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.001)


def fit(batches):
    trainer = L.Trainer(
        accelerator="cpu",
        devices=1,
        max_epochs=2,
        logger=False,
        default_root_dir=tempfile.mkdtemp(),
        plugins=[AsyncCheckpointIO(UploadIO())],
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    trainer.fit(Model(), batches)


if __name__ == "__main__":
    URL = start_store()
    batches = DataLoader(torch.ones(64, 4), batch_size=4)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        fit(batches)
