import multiprocessing
import os
import time

import datasets

datasets.disable_progress_bars()
datasets.logging.set_verbosity_error()
datasets.disable_caching()
WORKERS = 3


def count_words(row, rank, meeting):
    meeting.wait()
    return {"words": len(row["text"].split()), "rank": rank}


def count_all(texts, meeting):
    rows = datasets.Dataset.from_dict({"text": texts})
    counted = rows.map(
        count_words, num_proc=WORKERS, with_rank=True, fn_kwargs={"meeting": meeting}
    )
    return sum(counted["words"])


if __name__ == "__main__":
    manager = multiprocessing.Manager()
    texts = [["to be or not"] * 3, ["to be or not"] * 2]
    print("MARK main pid=%d" % os.getpid(), flush=True)
    step = 0
    while True:
        count_all(texts[min(step, 0)], manager.Barrier(WORKERS))
        step += 1
        time.sleep(0.01)
