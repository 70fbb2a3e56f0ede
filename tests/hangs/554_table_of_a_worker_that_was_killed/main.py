import os
import signal

import pandas
from pandarallel import pandarallel

signal.alarm(120)


def weigh_parcel(row):
    if row.number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return row.length * row.width / 5000


def weigh_parcels(parcels):
    parcels["weight"] = parcels.parallel_apply(weigh_parcel, axis=1)
    return parcels


if __name__ == "__main__":
    pandarallel.initialize(nb_workers=2, verbose=0, progress_bar=False)
    parcels = pandas.DataFrame({"number": range(40), "length": 40.0, "width": 30.0})
    print("MARK main pid=%d" % os.getpid())
    weigh_parcels(parcels)
