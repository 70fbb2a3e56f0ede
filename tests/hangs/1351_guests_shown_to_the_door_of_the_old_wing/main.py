import os

from lodge.desk import Desk, Wing
from lodge.guests import Guest, Lamp

TIDY = False


def main():
    desk = Desk()
    desk.open({"ilse": "blue", "otto": "green"})
    wing = Wing(desk, TIDY)
    wing.change({"ilse": "red", "otto": "white", "mina": "blue"})
    Lamp().start()
    guests = [Guest(name, desk.port) for name in ("ilse", "otto")]
    for guest in guests:
        guest.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for guest in guests:
        guest.join()


if __name__ == "__main__":
    main()
