import os
import threading
import time

from quarry.sledges import Shed
from quarry.crew import Crew, Whistle

ONE_BY_ONE = False

if __name__ == "__main__":
    shed = Shed(4, ONE_BY_ONE)
    whistle = Whistle()
    crews = [Crew(shed, whistle, "north", 3), Crew(shed, whistle, "south", 3)]
    for crew in crews:
        crew.start()
    threading.Thread(target=whistle.hours, name="whistle", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        time.sleep(0.5)
        whistle.report(sum(crew.blocks for crew in crews))
