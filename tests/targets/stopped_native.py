"""Asks a program that runs no Python, has the other end of the connection, and was stopped."""

import os
import signal
import socket
import subprocess

from ready import ready


def ask_stock(connection):
    connection.settimeout(100)
    connection.sendall(b"how many")
    ready()
    return connection.recv(100)


listener = socket.create_server(("127.0.0.1", 0))
connection = socket.create_connection(listener.getsockname())
accepted = listener.accept()[0]
store = subprocess.Popen(["sleep", "100"], pass_fds=[accepted.fileno()])
accepted.close()
listener.close()
os.kill(store.pid, signal.SIGSTOP)
os.waitpid(store.pid, os.WUNTRACED)
try:
    ask_stock(connection)
finally:
    store.kill()
