import fcntl
import multiprocessing
import os
import socket
import tempfile

import dns.flags
import dns.message
import dns.query
import dns.rrset

ZONE = os.path.join(tempfile.gettempdir(), "harbour-%d.zone" % os.getpid())


def write_zone(names):
    with open(ZONE, "w") as file:
        for name, address in names.items():
            file.write("%s %s\n" % (name, address))


def read_zone(name):
    with open(ZONE) as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        return dict(line.split() for line in file)[name]


def take(line, size):
    found = b""
    while len(found) < size:
        part = line.recv(size - len(found))
        if not part:
            return b""
        found += part
    return found


def serve_names(listener):
    while True:
        line, _ = listener.accept()
        with line:
            size = int.from_bytes(take(line, 2), "big")
            query = dns.message.from_wire(take(line, size))
            name = query.question[0].name
            reply = dns.message.make_response(query)
            reply.answer.append(
                dns.rrset.from_text(name, 60, "IN", "A", read_zone(name.to_text(True)))
            )
            wire = reply.to_wire()
            line.sendall(len(wire).to_bytes(2, "big") + wire)


def look_up(name, port):
    query = dns.message.make_query(name, "A")
    return dns.query.tcp(query, "127.0.0.1", port=port).answer[0][0].address


def check_zone(port):
    with open(ZONE) as file:
        fcntl.flock(file, MODE)
        for line in file:
            name, address = line.split()
            if look_up(name, port) != address:
                raise ValueError(name)


MODE = fcntl.LOCK_EX


def main():
    write_zone({"quay.harbour": "10.0.0.1", "crane.harbour": "10.0.0.2"})
    listener = socket.create_server(("127.0.0.1", 0))
    context = multiprocessing.get_context("fork")
    context.Process(target=serve_names, args=(listener,), name="names", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        check_zone(listener.getsockname()[1])


if __name__ == "__main__":
    main()
