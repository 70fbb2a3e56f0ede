import os
import signal

import duckdb

signal.alarm(120)

graph = duckdb.connect()


def is_known(number: int) -> bool:
    found = graph.sql(f"SELECT 1 FROM nodes WHERE number = {number}").fetchall()
    return len(found) == 1


def check_nodes():
    return graph.sql("SELECT number, is_known(number) FROM nodes").fetchall()


if __name__ == "__main__":
    graph.execute("CREATE TABLE nodes AS SELECT 1 AS number")
    graph.create_function("is_known", is_known)
    print("MARK main pid=%d" % os.getpid())
    check_nodes()
