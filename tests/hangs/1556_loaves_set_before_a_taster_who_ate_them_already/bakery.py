import sys
import threading
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent


class Visitor(threading.Thread):
    """Looks in now and then while the loaves are tried."""

    def __init__(self):
        super().__init__(name="visitor", daemon=True)
        self.visits = 0

    def run(self):
        while True:
            time.sleep(0.5)
            self.visits += 1


class Tasting:
    def __init__(self, oven):
        self.oven = oven
        self.results = []

    def arguments(self):
        return [
            str(HERE / "loaves"),
            "-q",
            "-c",
            str(HERE / "loaves" / "pytest.ini"),
            "-p",
            "no:cacheprovider",
            "-p",
            "oven",
            "-n",
            "2",
            "--dist",
            "loadscope",
            "--oven",
            self.oven,
        ]

    def hold(self):
        self.results.append(pytest.main(self.arguments()))
        del self.results[:-3]
        sys.stdout.flush()
