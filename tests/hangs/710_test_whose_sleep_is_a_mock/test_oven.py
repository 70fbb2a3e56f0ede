import asyncio
from unittest import mock

import pytest
from oven import Oven


@pytest.fixture
def fast():
    with mock.patch("asyncio.sleep", mock.AsyncMock()):
        yield


@pytest.mark.asyncio
async def test_bakes_when_hot(fast):
    oven = Oven()
    heating = asyncio.create_task(oven.heat())
    await oven.wait_until_hot()
    await heating
    assert oven.degrees >= 200
