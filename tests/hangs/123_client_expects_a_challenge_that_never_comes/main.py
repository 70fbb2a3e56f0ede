import multiprocessing
import os
import signal
from multiprocessing.connection import Client, Listener

signal.alarm(120)


def answer_orders(connected):
    signal.alarm(120)
    with Listener(("127.0.0.1", 0)) as listener:
        connected.send(listener.address)
        with listener.accept() as connection:
            while order := connection.recv():
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
    send_order(ours.recv(), "ten pears")
