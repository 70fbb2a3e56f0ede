import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from common.stub import start

os.environ.update(HF_HUB_OFFLINE="1", HF_DATASETS_CACHE="/tmp/rows-cache")
import datasets

datasets.disable_progress_bars()


def open_rows(port):
    url = "http://127.0.0.1:%d/rows.jsonl" % port
    return datasets.load_dataset("json", data_files=url, split="train", streaming=True)


def count_words(rows):
    return sum(len(row["text"].split()) for row in rows)


if __name__ == "__main__":
    port = start("shard_server", "stalls")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        count_words(open_rows(port))
        time.sleep(0.05)
