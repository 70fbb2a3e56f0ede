from concurrent.futures import ThreadPoolExecutor

from regions import load_region


def load_regions(names):
    with ThreadPoolExecutor() as pool:
        return list(pool.map(load_region, names))


REGIONS = load_regions(["north", "south"])
LANGUAGE = "en"
