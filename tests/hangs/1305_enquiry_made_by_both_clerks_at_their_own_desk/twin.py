import os
import threading

from town.people import Citizen, Fountain
from town.registry import Registry

ASKS = False


def main():
    registry = Registry(ASKS)
    threading.Thread(target=registry.serve_forever, name="registry", daemon=True).start()
    Fountain().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    citizens = [Citizen(name, registry.server_address) for name in ("Ida", "Jon")]
    for citizen in citizens:
        citizen.start()
    for citizen in citizens:
        citizen.join()


if __name__ == "__main__":
    main()
