import os
import signal
import time

import parsl
from parsl.config import Config
from parsl.executors import ThreadPoolExecutor

signal.alarm(120)


@parsl.python_app
def measure_patch(number):
    time.sleep(0.02)
    return number * number


@parsl.join_app
def build_mosaic(size):
    return [measure_patch(number) for number in range(size)]


def survey_sky(mosaics):
    return [mosaic.result() for mosaic in [build_mosaic(4) for _ in range(mosaics)]]


if __name__ == "__main__":
    folder = "/tmp/survey-%d" % os.getpid()
    parsl.load(Config(executors=[ThreadPoolExecutor(max_threads=2)], run_dir=folder))
    print("MARK main pid=%d" % os.getpid())
    while True:
        survey_sky(3)
