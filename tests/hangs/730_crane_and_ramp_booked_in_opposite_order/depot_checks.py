import os
import time

import pytest
from filelock import FileLock


def keep(name):
    lock = FileLock(os.path.join(os.environ["DEPOT_FOLDER"], name + ".lock"))
    lock.acquire()
    time.sleep(1)
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


def test_unload(crane, ramp):
    assert crane != ramp


def test_load(ramp, crane):
    assert crane != ramp
