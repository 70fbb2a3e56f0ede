import threading
import time

from cachetools import TTLCache, cached

ROADS = {
    ("ulm", "graz"): [("graz", "bern")],
    ("graz", "bern"): [("ulm", "graz")],
    ("bern", "lyon"): [],
    ("lyon", "nice"): [("bern", "lyon")],
}
LENGTHS = {("ulm", "graz"): 520, ("graz", "bern"): 780, ("bern", "lyon"): 310}
settled = threading.Condition()
table = TTLCache(500, 1)


def round_trip(road):
    return ROADS[road][0] if ROADS[road] else None


@cached(table, condition=settled)
def fare(road, via):
    time.sleep(0.2)
    length = LENGTHS.get(road, 200)
    if via is None:
        return length / 10
    other = round_trip(via) if round_trip(via) == road else None
    return length / 10 + fare(via, other) * 0.9
