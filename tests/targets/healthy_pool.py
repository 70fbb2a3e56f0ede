"""A ThreadPoolExecutor whose workers have nothing to do: nothing is wrong."""

import threading
from concurrent.futures import ThreadPoolExecutor

from ready import ready

if __name__ == "__main__":
    with ThreadPoolExecutor(8, thread_name_prefix="worker") as pool:
        busy = threading.Barrier(9)
        for _ in range(8):
            pool.submit(busy.wait)
        busy.wait()
        ready()
        threading.Event().wait()
