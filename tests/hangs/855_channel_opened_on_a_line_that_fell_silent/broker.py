import socket
import struct
import threading

from pamqp import frame, specification

GREETING = {"capabilities": {"publisher_confirms": True}, "product": "depot"}


class Broker:
    def __init__(self, channels):
        self.channels = channels
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]
        threading.Thread(target=self.serve, name="broker", daemon=True).start()

    def serve(self):
        while True:
            line, _ = self.door.accept()
            try:
                self.talk(line)
            except ConnectionError:
                pass
            line.close()

    def read(self, line, size):
        data = b""
        while len(data) < size:
            part = line.recv(size - len(data))
            if not part:
                raise ConnectionError("the client has gone")
            data += part
        return data

    def talk(self, line):
        self.read(line, 8)
        self.say(line, 0, specification.Connection.Start(server_properties=GREETING))
        opened = 0
        while True:
            start = self.read(line, 7)
            rest = self.read(line, struct.unpack(">I", start[3:])[0] + 1)
            _, channel, said = frame.unmarshal(start + rest)
            if isinstance(said, specification.Connection.StartOk):
                self.say(line, 0, specification.Connection.Tune(100, 131072, 0))
            elif isinstance(said, specification.Connection.Open):
                self.say(line, 0, specification.Connection.OpenOk())
            elif isinstance(said, specification.Channel.Open):
                opened += 1
                if opened > self.channels:
                    self.read(line, 1 << 20)
                self.say(line, channel, specification.Channel.OpenOk())
            elif isinstance(said, specification.Channel.Close):
                self.say(line, channel, specification.Channel.CloseOk())

    def say(self, line, channel, method):
        line.sendall(frame.marshal(method, channel))
