import os
import queue
import signal
from concurrent.futures import ThreadPoolExecutor

signal.alarm(120)
END = None


def write_rows(rows):
    count = 0
    while rows.get() is not END:
        count += 1
    return count


def export_rows(table):
    rows = queue.Queue()
    with ThreadPoolExecutor(1, thread_name_prefix="writer") as pool:
        written = pool.submit(write_rows, rows)
        for row in table:
            rows.put(row)
    rows.put(END)
    return written.result()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    export_rows(["tea", "rice"])
