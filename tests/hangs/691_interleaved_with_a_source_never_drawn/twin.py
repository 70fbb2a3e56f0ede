import os

from datasets import IterableDataset, interleave_datasets


def read_pages(count):
    for number in range(count):
        yield {"text": "page %d" % number}


def mixed_corpus():
    sources = [
        IterableDataset.from_generator(read_pages, gen_kwargs={"count": n}) for n in (40, 20)
    ]
    return interleave_datasets(
        sources, probabilities=SHARES, seed=3, stopping_strategy="all_exhausted"
    )


SHARES = [0.6, 0.4]


def long_enough(row):
    return len(row["text"]) > 60


def count_pages():
    return sum(1 for _ in mixed_corpus().filter(long_enough))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        count_pages()
