import sys
import time
from xmlrpc.server import SimpleXMLRPCServer


def list_dumps(after):
    time.sleep(float(sys.argv[1]))
    return [{"number": after + 1, "text": "lost a packet"}]


server = SimpleXMLRPCServer(("127.0.0.1", 0), logRequests=False)
server.register_function(list_dumps)
print(server.server_address[1], flush=True)
server.serve_forever()
