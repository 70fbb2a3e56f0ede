import os
import signal
import time


def test_crust_by_ear(oven):
    time.sleep(0.2)
    assert oven


def test_crust_by_hand(oven):
    if oven == "red":
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.2)
