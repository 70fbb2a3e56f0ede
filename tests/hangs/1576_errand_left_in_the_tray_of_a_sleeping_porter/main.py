import os
import threading

from hotel.house import Guest, House
from hotel.porter import Porter

if __name__ == "__main__":
    porter = Porter(rings=False)
    guest = Guest(porter.address, letters=20)
    house = House(porter)
    porter.start()
    guest.start()
    threading.Thread(target=house.tick, name="clock", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    house.work()
