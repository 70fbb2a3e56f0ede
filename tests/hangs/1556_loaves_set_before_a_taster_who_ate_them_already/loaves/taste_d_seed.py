import time


def test_seed_0(oven):
    time.sleep(0.05)
    assert oven


def test_seed_1(oven):
    time.sleep(0.05)
    assert oven
