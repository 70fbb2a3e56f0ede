import os

from town.registry import Registry
from town.services import Service, Town

if __name__ == "__main__":
    registry = Registry()
    for name, needs in (
        ("clock", []),
        ("post", ["clock"]),
        ("archive", ["post", "press"]),
        ("press", ["post", "clock"]),
        ("office", ["archive"]),
    ):
        registry.add(Service(name, needs, registry))
    town = Town(registry)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    town.open_day()
    town.rest()
