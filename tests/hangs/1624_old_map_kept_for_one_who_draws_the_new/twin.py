import os
import threading

from atlas.editions import Editions
from atlas.office import Draughtsman, Pilot, Tide

WHILE_READING = False

if __name__ == "__main__":
    editions = Editions({"shoal": 3, "rock": 7})
    draughtsman = Draughtsman(editions, WHILE_READING)
    pilots = [Pilot(editions, "pilot-%d" % n) for n in range(3)]
    threading.Thread(target=Tide(editions).turn, name="tide", daemon=True).start()
    for pilot in pilots:
        pilot.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    draughtsman.work()
