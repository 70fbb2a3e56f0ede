import os

import dramatiq
from dramatiq.brokers.stub import StubBroker
from dramatiq.results import Results
from dramatiq.results.backends import StubBackend

broker = StubBroker()
broker.add_middleware(Results(backend=StubBackend()))
dramatiq.set_broker(broker)

DAY = 24 * 3600 * 1000


@dramatiq.actor(store_results=True, time_limit=DAY)
def grind(kilos):
    return kilos * 2


@dramatiq.actor(store_results=True, time_limit=DAY)
def bake(kilos):
    flour = grind.send(kilos).get_result(block=True, timeout=DAY)
    return flour + 1


class Counter:
    def order(self, kilos):
        return bake.send(kilos).get_result(block=True, timeout=DAY)


HANDS = 4


if __name__ == "__main__":
    dramatiq.Worker(broker, worker_timeout=100, worker_threads=HANDS).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    counter = Counter()
    while True:
        counter.order(5)
