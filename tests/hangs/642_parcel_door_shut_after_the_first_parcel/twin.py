import os
import queue
import select
import signal
import socket
import threading

signal.alarm(120)


class Depot:
    def __init__(self):
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]
        self.poll = select.epoll()
        self.poll.register(self.door, select.EPOLLIN)
        self.vans = {}
        self.arrivals = queue.SimpleQueue()
        self.booked = 0

    def watch(self):
        while True:
            for fd, _ in self.poll.poll():
                if fd == self.door.fileno():
                    van, _ = self.door.accept()
                    self.vans[van.fileno()] = van
                    self.poll.register(van, select.EPOLLIN | select.EPOLLONESHOT)
                else:
                    self.arrivals.put(self.vans[fd])

    def book(self):
        while True:
            van = self.arrivals.get()
            parcel = van.recv(64)
            self.booked += 1
            if not parcel:
                del self.vans[van.fileno()]
                van.close()
                continue
            self.poll.modify(van, select.EPOLLIN | select.EPOLLONESHOT)
            van.sendall(b"booked " + parcel)


class Van:
    def __init__(self, port):
        self.depot = socket.create_connection(("127.0.0.1", port))

    def hand_over(self, parcel):
        self.depot.sendall(parcel)
        return self.depot.recv(64)


def drive(port):
    van = Van(port)
    return [van.hand_over(b"parcel %d" % number) for number in range(3)]


if __name__ == "__main__":
    depot = Depot()
    threading.Thread(target=depot.watch, name="watch", daemon=True).start()
    threading.Thread(target=depot.book, name="book", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        drive(depot.port)
