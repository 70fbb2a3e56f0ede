import time


def test_salt_0(oven):
    time.sleep(0.05)
    assert oven


def test_salt_1(oven):
    time.sleep(0.05)
    assert oven
