import socket


class Guest:
    def __init__(self, address, name):
        self.name = name
        self.line = socket.create_connection(address)
        self.voice = self.line.makefile("rwb")
        self.eaten = 0

    def order(self, dish):
        self.voice.write(dish + b"\n")
        self.voice.flush()
        self.voice.readline()
        self.eaten += 1

    def leave(self):
        self.voice.close()
        self.line.close()
