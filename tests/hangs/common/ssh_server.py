"""An SSH server for every password; "megabytes N" writes so many, "complains N"
to stderr; "follows N" does not end after them."""

import socket
import threading
import time

import paramiko

KEY = paramiko.ECDSAKey.generate()


class Server(paramiko.ServerInterface):
    def check_auth_password(self, username, password):
        return paramiko.AUTH_SUCCESSFUL

    def check_channel_request(self, kind, chanid):
        return paramiko.OPEN_SUCCEEDED

    def check_channel_exec_request(self, channel, command):
        threading.Thread(target=run, args=(channel, command), daemon=True).start()
        return True


def run(channel, command):
    time.sleep(0.1)
    verb, count = command.split()
    send = channel.sendall_stderr if verb == b"complains" else channel.sendall
    send(b"x" * (int(count) * 1_000_000 + 10))
    if verb == b"follows":
        return
    channel.send_exit_status(0)
    channel.close()


listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1])
kept = []
while True:
    transport = paramiko.Transport(listener.accept()[0])
    transport.add_server_key(KEY)
    transport.start_server(server=Server())
    kept.append(transport)
