"""Speaks the Bolt protocol of Neo4j: every statement went well and has no rows."""

import socket
import struct
import threading

SUCCESS, NAMES = b"\xb1\x70", b"\xa1\x86fields\x91\x84name"
HELLO = b"\xa2\x86server\x8bNeo4j/4.4.0\x8dconnection_id\x86bolt-1"


def read(connection, size):
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def message(connection):
    data = b""
    while size := struct.unpack(">H", read(connection, 2))[0]:
        data += read(connection, size)
    return data or message(connection)


def serve(connection):
    try:
        read(connection, 20)
        connection.sendall(b"\x00\x00\x04\x04")
        while True:
            kind = message(connection)[1]
            if kind == 0x02:
                return connection.close()
            answer = SUCCESS + {0x01: HELLO, 0x10: NAMES}.get(kind, b"\xa0")
            connection.sendall(struct.pack(">H", len(answer)) + answer + b"\x00\x00")
    except (EOFError, OSError):
        connection.close()


server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1])
while True:
    threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
