import os
import signal

from celery import Celery
from celery.contrib.testing.worker import start_worker

signal.alarm(120)

app = Celery("shop", broker="memory://", backend="cache+memory://")


@app.task(queue="scales")
def weigh(parcel):
    return len(parcel) * 0.1


def postage(parcels):
    weights = [weigh.delay(parcel) for parcel in parcels]
    return sum(4.2 + weight.get() for weight in weights)


if __name__ == "__main__":
    with start_worker(app, pool="solo", perform_ping_check=False, loglevel="ERROR"):
        print("MARK main pid=%d" % os.getpid(), flush=True)
        print(postage(["oats", "rye"]))
