import io
import os
import tarfile
import tempfile
import time

import torch
import webdataset as wds

torch.set_num_threads(1)
FOLDER = tempfile.mkdtemp(prefix="shards-")


def write_shard(path, rows):
    with tarfile.open(path, "w") as shard:
        for row in range(rows):
            text = b"%d" % row
            info = tarfile.TarInfo("%06d.txt" % row)
            info.size = len(text)
            shard.addfile(info, io.BytesIO(text))


def provide(number):
    path = os.path.join(FOLDER, "shard-%03d.tar" % number)
    if number == 2:
        os.mkfifo(path)
    else:
        write_shard(path, 20)
    return "pipe:cat " + path


def train_epoch(shards):
    rows = wds.WebDataset(shards, shardshuffle=False).decode().to_tuple("txt")
    return sum(1 for _ in wds.WebLoader(rows, batch_size=4, num_workers=1))


shards = [provide(number) for number in range(4)]
print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    train_epoch(shards)
    time.sleep(0.01)
