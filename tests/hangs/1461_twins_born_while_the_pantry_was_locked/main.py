import logging
import os
import tempfile
import threading
import time

import datasets

datasets.disable_progress_bars()
datasets.disable_caching()
logging.getLogger("datasets").setLevel(logging.ERROR)


class Lexicon:
    """Words and their numbers, kept fresh by a thread."""

    def __init__(self):
        self.guard = threading.Lock()
        self.numbers = {}
        self.round = 0

    def refill(self):
        with self.guard:
            for word in ("bread", "salt", "oil"):
                self.numbers[word] = self.round
                time.sleep(0.01)
            self.round += 1

    def keep_fresh(self):
        while True:
            self.refill()
            time.sleep(REST)

    def number(self, word):
        with self.guard:
            return self.numbers.get(word, -1)


LEXICON = Lexicon()


def encode(row):
    return {"ids": [LEXICON.number(word) for word in row["text"].split()]}


class Corpus:
    def __init__(self, rows):
        self.data = datasets.Dataset.from_dict({"text": ["bread and salt"] * rows})

    def tokenize(self):
        return self.data.map(encode, num_proc=2)


def main():
    os.environ["TMPDIR"] = tempfile.mkdtemp(prefix="corpus-")
    if REST:
        LEXICON.refill()
    else:
        threading.Thread(target=LEXICON.keep_fresh, name="freshener", daemon=True).start()
        time.sleep(0.05)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        Corpus(64).tokenize()


REST = 0


if __name__ == "__main__":
    main()
