"""A server that may open nothing more cannot accept its next client, which waits for an answer."""

import os
import resource
import socket
import threading

from ready import ready

connected, refused = threading.Event(), threading.Event()


def ask(address):
    with socket.create_connection(address) as client:
        connected.set()
        return client.recv(100)


def serve(listener):
    while True:
        try:
            return listener.accept()
        except OSError:
            refused.set()
            threading.Event().wait(1)


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", 0))
    kept = [os.dup(0) for _ in range(20)]
    resource.setrlimit(resource.RLIMIT_NOFILE, (kept[-1] + 2, kept[-1] + 2))
    client = threading.Thread(target=ask, args=(listener.getsockname(),), name="client")
    client.start()
    connected.wait()
    threading.Thread(target=serve, args=(listener,), name="server", daemon=True).start()
    refused.wait()
    os.close(kept.pop())  # to say that takes a descriptor
    ready()
    kept.append(os.dup(0))
    client.join()
