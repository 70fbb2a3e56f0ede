"""Takes measurements on the Unix socket that argv[1] names; reads them only if told "reads"."""

import socket
import sys
import time

server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
server.bind(sys.argv[1])
print(0)
sys.stdout.flush()
while True:
    if "reads" in sys.argv[2:]:
        server.recv(65536)
    else:
        time.sleep(1)
