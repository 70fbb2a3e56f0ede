"""A device with NETCONF on the Unix socket that argv[1] names: answers; tells "alarms" if told."""

import re
import socket
import sys
import threading
import time

END = b"]]>]]>"
NS = "urn:ietf:params:xml:ns:netconf:"
HELLO = (
    f'<hello xmlns="{NS}base:1.0"><capabilities><capability>{NS}base:1.0</capability>'
    f"<capability>{NS}capability:notification:1.0</capability></capabilities>"
    "<session-id>4</session-id></hello>"
)
ALARM = (
    f'<notification xmlns="{NS}notification:1.0"><eventTime>2026-01-01T00:00:00Z</eventTime>'
    "<alarm/></notification>"
)


def alarms(connection):
    while True:
        time.sleep(0.2)
        connection.sendall(ALARM.encode() + END)


def talk(connection):
    connection.sendall(HELLO.encode() + END)
    kept = b""
    while True:
        kept += connection.recv(65536)
        while END in kept:
            message, _, kept = kept.partition(END)
            number = re.search(rb'message-id="([^"]*)"', message)
            if number:
                reply = f'<rpc-reply xmlns="{NS}base:1.0" message-id="%s"><ok/></rpc-reply>'
                connection.sendall((reply % number[1].decode()).encode() + END)
                if "alarms" in sys.argv[2:]:
                    threading.Thread(target=alarms, args=(connection,), daemon=True).start()


server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
server.listen()
print(0)
sys.stdout.flush()
while True:
    threading.Thread(target=talk, args=(server.accept()[0],), daemon=True).start()
