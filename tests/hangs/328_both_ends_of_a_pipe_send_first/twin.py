import multiprocessing
import os
import signal
import time

signal.alarm(120)


def send_state(connection):
    connection.send("x" * 4_000_000)
    return connection.recv()


def run_market(connection):
    signal.alarm(120)
    while True:
        send_state(connection)


def send_orders(connection):
    state = connection.recv()
    time.sleep(0.02)
    connection.send("y" * 4_000_000)
    return state


def simulate():
    ours, theirs = multiprocessing.Pipe()
    multiprocessing.Process(target=run_market, args=(theirs,), daemon=True).start()
    while True:
        send_orders(ours)


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid())
    simulate()
