import os
import time

from distributed import Client, LocalCluster


class Ledger:
    def __init__(self):
        self.booked = {}
        self.kiln = None

    def meet(self, kiln):
        self.kiln = kiln

    def total(self):
        return sum(self.booked.values())

    def book(self, order):
        price = self.kiln.quote(order, len(self.booked)).result()
        self.booked[order % 50] = price
        return price


class Kiln:
    def __init__(self):
        self.fired = 0
        self.ledger = None

    def meet(self, ledger):
        self.ledger = ledger

    def quote(self, order, booked):
        time.sleep(0.01)
        self.fired += 1
        if ASKS and order % 10 == 9:
            return 5 + self.ledger.total().result() % 3
        return 5 + booked % 3


def take_order(ledger, order):
    return ledger.book(order).result()


def main():
    cluster = LocalCluster(
        n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None
    )
    client = Client(cluster)
    first, second = list(client.scheduler_info(n_workers=-1)["workers"])
    ledger = client.submit(Ledger, actor=True, workers=[first]).result()
    kiln = client.submit(Kiln, actor=True, workers=[second]).result()
    ledger.meet(kiln).result()
    kiln.meet(ledger).result()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    order = 0
    while True:
        take_order(ledger, order)
        order += 1


ASKS = True


if __name__ == "__main__":
    main()
