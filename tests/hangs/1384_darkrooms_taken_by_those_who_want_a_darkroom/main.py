import trio

from darkroom.lab import Lab
from darkroom.shop import Shop

if __name__ == "__main__":
    trio.run(Shop(Lab(2, 0.1)).day, ["portra", "ektar", "velvia"])
