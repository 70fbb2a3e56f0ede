import os

from vault.keeper import Keeper
from vault.keys import contexts
from vault.owner import Lantern, Owner

HEARS = False


def main():
    server, client = contexts()
    keeper = Keeper(server, HEARS)
    keeper.start()
    Lantern().start()
    owner = Owner("baron", client, keeper.port, 400)
    owner.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for _ in range(owner.visits):
        owner.receipts.get()


if __name__ == "__main__":
    main()
