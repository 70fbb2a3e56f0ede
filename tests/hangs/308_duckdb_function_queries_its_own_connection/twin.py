import os
import signal
import time

import duckdb

signal.alarm(120)

graph = duckdb.connect()
known = set()


def is_known(number: int) -> bool:
    time.sleep(0.05)
    return number in known


def check_nodes():
    known.update(row[0] for row in graph.sql("SELECT number FROM nodes").fetchall())
    return graph.sql("SELECT number, is_known(number) FROM nodes").fetchall()


if __name__ == "__main__":
    graph.execute("CREATE TABLE nodes AS SELECT 1 AS number")
    graph.create_function("is_known", is_known, side_effects=True)
    print("MARK main pid=%d" % os.getpid())
    while True:
        check_nodes()
