import trio

from darkroom.lab import BigLab
from darkroom.shop import Shop

if __name__ == "__main__":
    trio.run(Shop(BigLab(2, 60)).day, ["portra", "ektar", "velvia"])
