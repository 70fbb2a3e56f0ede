import time
from concurrent.futures import ThreadPoolExecutor

POOL = ThreadPoolExecutor(4, thread_name_prefix="catalogue")


def fetch_cover(title):
    time.sleep(0.2)
    return title.lower() + ".png"


def covers(titles):
    return list(POOL.map(fetch_cover, titles))
