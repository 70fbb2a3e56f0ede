"""A thrift server: "simple" serves one connection after the other, "threaded" all at once."""

import os
import socket
import sys
import threading
import time

import thriftpy2
from thriftpy2.server import TSimpleServer, TThreadedServer
from thriftpy2.thrift import TProcessor
from thriftpy2.transport import TServerSocket

here = os.path.dirname(os.path.abspath(__file__))
stock = thriftpy2.load(os.path.join(here, "stock.thrift"), module_name="stock_thrift")


class Handler:
    def count(self, name):
        time.sleep(0.05)
        return len(name)


with socket.create_server(("127.0.0.1", 0)) as found:
    port = found.getsockname()[1]
kind = TSimpleServer if sys.argv[1] == "simple" else TThreadedServer
listener = TServerSocket("127.0.0.1", port, client_timeout=None)
threading.Timer(0.5, print, (port,)).start()
kind(TProcessor(stock.Stock, Handler()), listener).serve()
