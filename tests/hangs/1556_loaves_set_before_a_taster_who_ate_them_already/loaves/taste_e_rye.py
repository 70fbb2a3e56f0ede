import time


def test_rye(oven):
    time.sleep(0.05)
    assert oven
