from concurrent.futures import ThreadPoolExecutor

import grpc


def plain(data):
    return data


class Desk(grpc.GenericRpcHandler):
    def __init__(self):
        self.hotel = grpc.server(ThreadPoolExecutor(2, thread_name_prefix="desk"))
        self.hotel.add_generic_rpc_handlers((self,))
        self.port = self.hotel.add_insecure_port("127.0.0.1:0")
        self.rooms = 3

    def service(self, call):
        work = {"/hotel/Close": self.close, "/hotel/Book": self.book}[call.method]
        return grpc.unary_unary_rpc_method_handler(work, plain, plain)

    def book(self, guest, context):
        return b"room %d" % self.rooms

    def close(self, guest, context):
        self.hotel.stop(grace=3600).wait()
        return b"closed"
