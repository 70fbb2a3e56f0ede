import asyncio
import os
import socket
import subprocess
import sys

import vault

SHUT_FIRST = True


def free_ports(count):
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(vault.run("south", int(sys.argv[1]), int(sys.argv[2]), SHUT_FIRST))
    else:
        north, south = free_ports(2)
        subprocess.Popen([sys.executable, "-u", __file__, str(south), str(north)])
        print("MARK main pid=%d" % os.getpid(), flush=True)
        asyncio.run(vault.run("north", north, south, SHUT_FIRST))
