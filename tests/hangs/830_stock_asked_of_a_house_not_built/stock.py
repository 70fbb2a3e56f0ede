import socket

import grpc


class Stock:
    def __init__(self, port):
        self.channel = grpc.insecure_channel(f"127.0.0.1:{port}")
        self.ask = self.channel.unary_unary("/shop.Stock/Count")

    def count(self, article):
        return self.ask(article.encode(), wait_for_ready=True)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as door:
        return door.getsockname()[1]
