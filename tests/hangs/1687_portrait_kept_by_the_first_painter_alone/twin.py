import logging
import os
import sys
import tempfile
import time
import warnings

import torch
import torch.multiprocessing as mp
from lightning.pytorch import Callback, LightningModule, Trainer
from torch.utils.data import DataLoader, TensorDataset

warnings.simplefilter("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


class Portrait(LightningModule):
    def __init__(self):
        super().__init__()
        self.face = torch.nn.Linear(4, 1)

    def training_step(self, batch, number):
        time.sleep(0.05)
        return self.face(batch[0]).square().mean()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.01)


class Gallery(Callback):
    def __init__(self, folder):
        self.folder = folder

    def on_train_epoch_end(self, trainer, portrait):
        if not ALONE or trainer.is_global_zero:
            trainer.save_checkpoint(os.path.join(self.folder, "last.ckpt"))
        self.compare(portrait)

    def compare(self, portrait):
        weights = portrait.all_gather(portrait.face.weight.detach())
        return weights.std()


def paint(rank, folder):
    os.environ.update(
        MASTER_ADDR="127.0.0.1",
        MASTER_PORT=os.environ["STUDIO"],
        RANK=str(rank),
        LOCAL_RANK=str(rank),
        NODE_RANK="0",
        WORLD_SIZE="2",
    )
    torch.set_num_threads(1)
    sheets = DataLoader(TensorDataset(torch.randn(32, 4)), batch_size=4)
    trainer = Trainer(
        accelerator="cpu",
        devices=2,
        strategy="ddp",
        max_epochs=-1,
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        default_root_dir=folder,
        callbacks=[Gallery(folder)],
    )
    trainer.fit(Portrait(), sheets)


def free_port():
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


ALONE = False


if __name__ == "__main__":
    os.environ["STUDIO"] = free_port()
    folder = tempfile.mkdtemp()
    painters = mp.spawn(paint, args=(folder,), nprocs=2, join=False)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while not painters.join():
        pass
    sys.exit(0)
