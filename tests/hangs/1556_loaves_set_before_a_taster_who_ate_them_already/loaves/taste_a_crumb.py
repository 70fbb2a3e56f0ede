import time


def test_crumb_0(oven):
    time.sleep(0.05)
    assert oven


def test_crumb_1(oven):
    time.sleep(0.05)
    assert oven


def test_crumb_2(oven):
    time.sleep(0.05)
    assert oven
