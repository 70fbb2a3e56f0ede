import os
import tempfile
import time

import torch
import webdataset as wds

FOLDER = tempfile.mkdtemp(prefix="shards-")
WRITTEN = 0


def write_shards():
    for shard in range(WRITTEN):
        with wds.TarWriter(os.path.join(FOLDER, "shard-%03d.tar" % shard)) as out:
            for number in range(64):
                out.write({"__key__": "row-%d" % number, "txt": "row %d" % number})


def open_rows():
    urls = [os.path.join(FOLDER, "shard-%03d.tar" % shard) for shard in range(4)]
    rows = wds.WebDataset(urls, resampled=True, handler=wds.ignore_and_continue)
    return rows.decode().to_tuple("txt")


def train_epoch():
    loader = torch.utils.data.DataLoader(open_rows(), batch_size=8, num_workers=2)
    for step, batch in enumerate(loader):
        if step == 40:
            break
        time.sleep(0.01)


if __name__ == "__main__":
    write_shards()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        train_epoch()
