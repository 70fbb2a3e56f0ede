"""Parameters of the tests with attacks."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder as /tmp is: everybody may write, nobody may remove what others made.

    Not below ``tmp_path``, which every other run of tests on the machine closes to other users.
    """
    folder = Path(tempfile.mkdtemp(prefix="hangtui-hostile-", dir="/tmp"))
    folder.chmod(0o1777)
    yield folder
    shutil.rmtree(folder)
