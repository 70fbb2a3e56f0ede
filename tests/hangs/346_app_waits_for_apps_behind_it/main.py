import os
import signal

import parsl
from parsl.config import Config
from parsl.executors import ThreadPoolExecutor

signal.alarm(120)


@parsl.python_app
def measure_patch(number):
    return number * number


@parsl.python_app
def build_mosaic(size):
    patches = [measure_patch(number) for number in range(size)]
    return sum(patch.result() for patch in patches)


def survey_sky(mosaics):
    return [mosaic.result() for mosaic in [build_mosaic(4) for _ in range(mosaics)]]


if __name__ == "__main__":
    folder = "/tmp/survey-%d" % os.getpid()
    parsl.load(Config(executors=[ThreadPoolExecutor(max_threads=2)], run_dir=folder))
    print("MARK main pid=%d" % os.getpid())
    survey_sky(3)
