import time
from concurrent.futures import ThreadPoolExecutor

LANGUAGE = "en"


def load_region(name):
    from settings_later import LANGUAGE

    time.sleep(0.05)
    return name, LANGUAGE


def load_regions(names):
    with ThreadPoolExecutor() as pool:
        return list(pool.map(load_region, names))
