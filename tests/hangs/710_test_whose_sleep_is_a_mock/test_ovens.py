import asyncio
from unittest import mock

import pytest
from oven import Oven

sleep = asyncio.sleep


@pytest.fixture
def fast():
    with mock.patch("asyncio.sleep", lambda seconds: sleep(0.01)):
        yield


@pytest.mark.asyncio
@pytest.mark.parametrize("number", range(400))
async def test_bakes_when_hot(fast, number):
    oven = Oven()
    heating = asyncio.create_task(oven.heat())
    await oven.wait_until_hot()
    await heating
    assert oven.degrees >= 200
