import multiprocessing
import os
import signal
import time
from multiprocessing.connection import Client, Listener

signal.alarm(120)


def answer_orders(connected):
    signal.alarm(120)
    with Listener(("127.0.0.1", 0), authkey=b"secret") as listener:
        connected.send(listener.address)
        while True:
            with listener.accept() as connection:
                order = connection.recv()
                time.sleep(0.05)
                connection.send("done " + order)


def send_order(address, order):
    with Client(address, authkey=b"secret") as connection:
        connection.send(order)
        return connection.recv()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.Process(target=answer_orders, args=(theirs,), daemon=True)
    server.start()
    print("MARK main pid=%d" % os.getpid())
    address = ours.recv()
    while True:
        send_order(address, "ten pears")
