import os

os.environ["TOKENIZERS_PARALLELISM"] = "true"

import time

from tokenizers import Tokenizer, models, pre_tokenizers
from torch.utils.data import DataLoader

tokenizer = Tokenizer(models.WordLevel({"a": 0, "b": 1, "[UNK]": 2}, unk_token="[UNK]"))
tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
LINES = ["a b a b c a"] * 400


def collate(lines):
    return [one.ids for one in tokenizer.encode_batch(lines)]


def longest(lines):
    return max(len(one.ids) for one in tokenizer.encode_batch(lines))


def train_epoch():
    longest(LINES)
    for batch in DataLoader(LINES, batch_size=32, num_workers=2, collate_fn=collate):
        time.sleep(0.002)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        train_epoch()
