import os
import signal
import socket

import zmq

signal.alarm(120)


def reserve_port():
    reserved = socket.socket()
    reserved.bind(("127.0.0.1", 0))
    return reserved


def report_total(port, total):
    context = zmq.Context()
    collector = context.socket(zmq.PUSH)
    collector.connect("tcp://127.0.0.1:%d" % port)
    collector.send_json({"total": total})
    collector.close()
    context.term()


if __name__ == "__main__":
    reserved = reserve_port()
    print("MARK main pid=%d" % os.getpid())
    report_total(reserved.getsockname()[1], 17)
