import os
import signal
import threading
import time
from itertools import cycle

signal.alarm(120)


class Route:
    def __init__(self, stops):
        self.stops = stops

    def length(self):
        total = 0
        for first, second in zip(self.stops, self.stops[1:]):
            if second < first:
                time.sleep(0.02)
            total += abs(second - first)
        return total


def plan_routes(routes, planned):
    for route in routes:
        planned.append(route.length())


if __name__ == "__main__":
    planned = []
    planner = threading.Thread(
        target=plan_routes,
        args=(cycle([Route([0, 4, 9]), Route([3, 1, 8])]), planned),
        name="planner",
    )
    planner.start()
    print("MARK main pid=%d" % os.getpid())
    planner.join()
