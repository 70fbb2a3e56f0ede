import concurrent.futures
import os
import time

import tiktoken

UPLOAD = "ab " * 2_000


def make_encoding():
    ranks = {bytes([number]): number for number in range(256)}
    for part in (b"ab", b"abab", b"th", b"he", b"the", b"in"):
        ranks[part] = len(ranks)
    return tiktoken.Encoding("desk", pat_str=r"\S+|\s+", mergeable_ranks=ranks, special_tokens={})


class Budget:
    def __init__(self, limit):
        self.encoding = make_encoding()
        self.limit = limit
        self.refused = 0

    def count_tokens(self, text):
        return len(self.encoding.encode_ordinary(text))


class Gate:
    def __init__(self, budget):
        self.budget = budget
        self.pool = concurrent.futures.ThreadPoolExecutor(2, thread_name_prefix="tokens")

    def admit(self, text):
        counted = self.pool.submit(self.budget.count_tokens, text)
        if counted.result() > self.budget.limit:
            self.budget.refused += 1
            return False
        return True


def uploads():
    number = 0
    while True:
        number += 1
        yield "the cat in the hat number %d " % number * 20
        if number % 20 == 0:
            yield UPLOAD
        time.sleep(0.05)


def serve():
    gate = Gate(Budget(500))
    for text in uploads():
        gate.admit(text)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    serve()
