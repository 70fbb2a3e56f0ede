import array
import socket


def give(wire, descriptors):
    data = array.array("i", descriptors)
    wire.sendmsg([b"K"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, data)])


def take(wire, count):
    room = socket.CMSG_LEN(count * array.array("i").itemsize)
    _, ancillary, _, _ = wire.recvmsg(1, room)
    found = array.array("i")
    for _, _, data in ancillary:
        found.frombytes(data[: len(data) - len(data) % found.itemsize])
    return list(found)


def say(wire, word):
    wire.sendall(word.ljust(8))


def hear(wire):
    return wire.recv(8, socket.MSG_WAITALL).strip()
