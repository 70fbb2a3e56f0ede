from concurrent.futures import ThreadPoolExecutor

import pybreaker

SHELVES = {"bread": 3, "milk": 5, "eggs": 12}

warehouse = pybreaker.CircuitBreaker(fail_max=3, reset_timeout=30)
readers = ThreadPoolExecutor(3, thread_name_prefix="shelf")


@warehouse
def count_shelf(name):
    return SHELVES[name]


def take_inventory(names):
    counts = [readers.submit(count_shelf, name) for name in names]
    return {name: count.result() for name, count in zip(names, counts)}
