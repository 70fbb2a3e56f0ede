"""Speaks enough of Cassandra's protocol to be a node that answers every query with one row."""

import socketserver
import struct
import uuid

VARCHAR, UUID = 0x0D, 0x0C
SUPPORTED, READY, RESULT = 6, 2, 8
LOCAL = {
    "key": (VARCHAR, b"local"),
    "cluster_name": (VARCHAR, b"stub"),
    "data_center": (VARCHAR, b"dc1"),
    "rack": (VARCHAR, b"r1"),
    "release_version": (VARCHAR, b"4.0.0"),
    "partitioner": (VARCHAR, b"org.apache.cassandra.dht.Murmur3Partitioner"),
    "host_id": (UUID, uuid.UUID(int=1).bytes),
    "schema_version": (UUID, uuid.UUID(int=2).bytes),
}


def text(value):
    value = value.encode()
    return struct.pack(">H", len(value)) + value


def rows(table, columns, values):
    body = struct.pack(">iii", 2, 1, len(columns)) + text("system") + text(table)
    for name, (kind, _) in columns.items():
        body += text(name) + struct.pack(">H", kind)
    body += struct.pack(">i", len(values))
    for row in values:
        for value in row:
            body += struct.pack(">i", len(value)) + value
    return body


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        while head := self.rfile.read(9):
            _, _, stream, code, size = struct.unpack(">BBhBi", head)
            body = self.rfile.read(size)
            answer, said = READY, b""
            if code == 5:
                answer = SUPPORTED
                said = struct.pack(">H", 2) + text("CQL_VERSION") + struct.pack(">H", 1)
                said += text("3.4.5") + text("COMPRESSION") + struct.pack(">H", 0)
            elif code == 7:
                answer = RESULT
                said = self.query(body[4 : 4 + struct.unpack(">i", body[:4])[0]])
            self.wfile.write(struct.pack(">BBhBi", 0x84, 0, stream, answer, len(said)) + said)

    def query(self, statement):
        statement = statement.lower()
        if b"system.local" in statement:
            return rows("local", LOCAL, [[value for _, value in LOCAL.values()]])
        if b"peers" in statement:
            return rows("peers", LOCAL, [])
        return rows("goods", {"name": (VARCHAR, b"")}, [[b"bread"]])


server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
