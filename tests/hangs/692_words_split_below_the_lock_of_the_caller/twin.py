import os
import threading
import time

from tokenizers import NormalizedString, PreTokenizedString, Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import PreTokenizer

LEXICON = threading.Lock()
WORDS = {"[UNK]": 0, "cheap": 1, "chair": 2}


class Splitter:
    def cut(self, number: int, text: NormalizedString):
        with LEXICON:
            return text.split(" ", "removed")

    def pre_tokenize(self, text: PreTokenizedString):
        text.split(self.cut)


def make_tokenizer():
    tokenizer = Tokenizer(WordLevel(WORDS, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = PreTokenizer.custom(Splitter())
    return tokenizer


def index_batch(tokenizer, rows):
    return tokenizer.encode_batch(rows)


def index_all():
    tokenizer = make_tokenizer()
    while True:
        index_batch(tokenizer, ["cheap chair %d" % n for n in range(64)])
        time.sleep(0.02)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    index_all()
