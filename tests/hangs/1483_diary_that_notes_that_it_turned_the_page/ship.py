import threading
import time

import structlog

from diary import open_diary


class Sailor(threading.Thread):
    def __init__(self, name, pause):
        super().__init__(name=name, daemon=True)
        self.pause = pause
        self.log = structlog.get_logger().bind(sailor=name)
        self.watches = 0

    def stand_watch(self):
        time.sleep(self.pause)
        self.watches += 1
        self.log.info("all quiet", watch=self.watches)

    def run(self):
        while True:
            self.stand_watch()


class Engine(threading.Thread):
    def __init__(self):
        super().__init__(name="engine", daemon=True)
        self.turns = 0

    def run(self):
        while True:
            time.sleep(0.5)
            self.turns += 100


def run(chatty):
    open_diary(4000, chatty)
    crew = [Sailor("ada", 0.03), Sailor("ben", 0.05), Sailor("cem", 0.07)]
    Engine().start()
    for sailor in crew:
        sailor.start()
    for sailor in crew:
        sailor.join()
