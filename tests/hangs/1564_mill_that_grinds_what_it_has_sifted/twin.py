import os
import queue
import threading

from bytewax.dataflow import Dataflow
from bytewax import operators
from bytewax.testing import cluster_main

from mill.ledger import Ledger
from mill.works import HopperSource, SieveSink

if __name__ == "__main__":
    ledger = Ledger()
    back = queue.Queue()
    for sack in range(3):
        back.put(sack)
    flow = Dataflow("flour")
    grain = operators.input("hopper", flow, HopperSource(back, patient=False))
    flour = operators.filter("coarse", grain, lambda sack: sack % 5 != 4)
    operators.output("sieve", flour, SieveSink(back, ledger))
    threading.Thread(
        target=cluster_main,
        args=(flow, [], 0),
        kwargs={"worker_count_per_proc": 1},
        name="mill",
        daemon=True,
    ).start()
    threading.Thread(target=ledger.tick, name="bell", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        ledger.close_day()
