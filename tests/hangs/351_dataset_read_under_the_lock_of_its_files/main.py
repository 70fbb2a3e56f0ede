import os
import signal
import tempfile

import numpy as np
import xarray
from xarray.backends.locks import HDF5_LOCK

signal.alarm(120)


def write_weather(path):
    days = np.random.rand(30, 100)
    xarray.Dataset({"rain": (("day", "place"), days)}).to_netcdf(path, engine="h5netcdf")


def sum_rain(path):
    with xarray.open_dataset(path, engine="h5netcdf") as weather:
        with HDF5_LOCK:
            return float(weather["rain"].sum())


if __name__ == "__main__":
    path = os.path.join(tempfile.mkdtemp(prefix="weather-"), "may.nc")
    write_weather(path)
    print("MARK main pid=%d" % os.getpid())
    sum_rain(path)
