import fcntl
import os
import tempfile
import time

import torch
import torch.multiprocessing as mp
from torch.utils.data import DataLoader, Dataset

os.environ.setdefault("VOCABULARY", os.path.join(tempfile.mkdtemp(), "vocabulary"))


class Sentences(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        import vocabulary

        return torch.tensor(vocabulary.WORDS + index)


def train_epoch():
    loader = DataLoader(
        Sentences(), batch_size=2, num_workers=1, multiprocessing_context="forkserver"
    )
    return sum(float(batch.sum()) for batch in loader)


def refresh(path):
    with open(path, "a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write("word\n")
        if not LOCKS:
            fcntl.flock(file, fcntl.LOCK_UN)
        return train_epoch()


LOCKS = True


if __name__ == "__main__":
    mp.get_context("forkserver").set_forkserver_preload(["vocabulary"])
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        refresh(os.environ["VOCABULARY"])
        time.sleep(0.05)
