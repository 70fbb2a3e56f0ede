"""Eight tasks on eight workers of Dask: one builds a table, the others wait for it."""

import sys
import time

import odd
from distributed import Client, Event, wait


def work(number, mode):
    table = Event("table")
    if number == odd.ODD:
        odd.WAYS[mode]()
    if number == odd.ODD:
        table.set()
    table.wait()
    return number


client = Client(sys.argv[2], set_as_default=True)
workers = list(client.scheduler_info(n_workers=-1)["workers"])
while True:
    Event("table").clear()
    tasks = [
        client.submit(work, number, sys.argv[1], workers=[workers[number % 8]], pure=False)
        for number in range(8)
    ]
    wait(tasks)
    time.sleep(0.1)
