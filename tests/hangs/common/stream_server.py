"""A Redis server with streams, kept in memory."""

from fakeredis import TcpFakeServer

server = TcpFakeServer(("127.0.0.1", 0), server_type="redis")
print(server.server_address[1])
server.serve_forever()
