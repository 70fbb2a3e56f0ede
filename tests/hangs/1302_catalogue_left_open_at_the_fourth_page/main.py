import os

from museum.catalogue import Catalogue
from museum.rooms import Guide, Humidity, Registrar, Restorer, opening_hours

CLOSING = False


def main():
    catalogue = Catalogue("picture %d" % number for number in range(40))
    Humidity().start()
    Restorer(catalogue).start()
    Registrar(catalogue).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    opening_hours(Guide(catalogue, 3), CLOSING)


if __name__ == "__main__":
    main()
