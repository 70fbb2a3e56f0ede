import os
import subprocess
import sys
import time

import torch
from torch.utils.data import DataLoader, Dataset

DECODER = "import sys; sys.stdout.buffer.write(b'x' * 500000)"


class Videos(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        return torch.tensor(len(decode_frames(i)))


def decode_frames(i):
    decoder = subprocess.Popen([sys.executable, "-S", "-c", DECODER], stdout=subprocess.PIPE)
    frames = decoder.stdout.read()
    decoder.wait()
    return frames


def train_epoch(loader):
    for batch in loader:
        time.sleep(0.01)


if __name__ == "__main__":
    loader = DataLoader(Videos(), batch_size=2, num_workers=2, persistent_workers=True)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        train_epoch(loader)
