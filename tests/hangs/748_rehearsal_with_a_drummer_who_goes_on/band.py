import subprocess
import threading

import pytest


class Drummer:
    def __init__(self):
        self.beats = []
        self.process = subprocess.Popen(
            ["sh", "-c", "echo one; exec sleep 1000"], stdout=subprocess.PIPE, text=True
        )
        threading.Thread(target=self.listen, name="listener").start()

    def listen(self):
        for beat in self.process.stdout:
            self.beats.append(beat)


@pytest.fixture
def drummer():
    yield Drummer()


def test_rhythm(drummer):
    assert drummer.process.poll() is None
