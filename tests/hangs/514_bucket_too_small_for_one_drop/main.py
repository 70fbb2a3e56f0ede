import os
import signal

from langchain_core.language_models import FakeListChatModel
from langchain_core.rate_limiters import InMemoryRateLimiter

signal.alarm(120)


def make_model(calls_per_minute):
    per_second = calls_per_minute / 60
    limiter = InMemoryRateLimiter(
        requests_per_second=per_second,
        check_every_n_seconds=0.1,
        max_bucket_size=per_second,
    )
    return FakeListChatModel(responses=["tea", "coffee"], rate_limiter=limiter)


class Waiter:
    def __init__(self, model):
        self.model = model

    def take_order(self, guest):
        return self.model.invoke("What does %s want?" % guest).content


def serve_table(guests):
    waiter = Waiter(make_model(calls_per_minute=30))
    return [waiter.take_order(guest) for guest in guests]


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(serve_table(["ann", "ben"]))
