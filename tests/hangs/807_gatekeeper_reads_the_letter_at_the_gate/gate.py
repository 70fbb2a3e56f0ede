import socket
import threading

import paramiko


class Gate(paramiko.ServerInterface):
    def check_auth_password(self, username, password):
        return paramiko.AUTH_SUCCESSFUL

    def check_channel_request(self, kind, number):
        return paramiko.OPEN_SUCCEEDED

    def check_channel_exec_request(self, channel, command):
        size = int(command.split()[-1])
        letter = channel.makefile("rb").read(size)
        channel.sendall(b"%d read\n" % len(letter))
        return True


class ThreadedGate(Gate):
    def check_channel_exec_request(self, channel, command):
        size = int(command.split()[-1])
        threading.Thread(target=self.read, args=(channel, size), daemon=True).start()
        return True

    def read(self, channel, size):
        letter = channel.makefile("rb").read(size)
        channel.sendall(b"%d read\n" % len(letter))
        channel.close()


def open_gate(keeper):
    door = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            client, _ = door.accept()
            transport = paramiko.Transport(client)
            transport.add_server_key(paramiko.RSAKey.generate(2048))
            transport.start_server(server=keeper())

    threading.Thread(target=serve, name="gate", daemon=True).start()
    return door.getsockname()[1]
