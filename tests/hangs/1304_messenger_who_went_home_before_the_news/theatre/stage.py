import itertools
import threading
import time

from pubsub import pub


class Stage(threading.Thread):
    """Announces what happens on it."""

    def __init__(self):
        super().__init__(name="stage", daemon=True)
        self.played = 0

    def run(self):
        for act in itertools.count(1):
            time.sleep(0.1)
            self.played = act
            pub.sendMessage("stage.light", level=act % 10)
            pub.sendMessage("stage.act", number=act)


class Lights:
    def __init__(self):
        self.level = 0
        pub.subscribe(self.dim, "stage.light")

    def dim(self, level):
        self.level = level
