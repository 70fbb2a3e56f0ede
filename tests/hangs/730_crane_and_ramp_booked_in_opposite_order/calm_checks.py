import os
import time

import pytest
from filelock import FileLock


def keep(name):
    lock = FileLock(os.path.join(os.environ["DEPOT_FOLDER"], name + ".lock"))
    lock.acquire()
    time.sleep(0.05)
    return lock


@pytest.fixture
def crane():
    lock = keep("crane")
    yield "crane"
    lock.release()


@pytest.fixture
def ramp():
    lock = keep("ramp")
    yield "ramp"
    lock.release()


@pytest.mark.parametrize("round", range(200))
def test_unload(crane, ramp, round):
    assert crane != ramp


@pytest.mark.parametrize("round", range(200))
def test_load(crane, ramp, round):
    assert crane != ramp
