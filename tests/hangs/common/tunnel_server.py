"""An SSH server for every password that takes tunnels; what is at their other end answers lines."""

import socket
import threading

import paramiko

KEY = paramiko.ECDSAKey.generate()


class Server(paramiko.ServerInterface):
    def check_auth_password(self, username, password):
        return paramiko.AUTH_SUCCESSFUL

    def check_channel_request(self, kind, chanid):
        return paramiko.OPEN_SUCCEEDED

    def check_channel_direct_tcpip_request(self, chanid, origin, destination):
        return paramiko.OPEN_SUCCEEDED


def answer(channel):
    while channel.recv(4096):
        channel.sendall(b"100 EUR\n")
    channel.close()


def serve(transport):
    while transport.is_active():
        channel = transport.accept(1)
        if channel is not None:
            threading.Thread(target=answer, args=(channel,), daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1])
while True:
    transport = paramiko.Transport(listener.accept()[0])
    transport.add_server_key(KEY)
    transport.start_server(server=Server())
    threading.Thread(target=serve, args=(transport,), daemon=True).start()
