from thrift.transport import TSocket, TTransport

from lab.wire import REPLY, binary, read_text, write_text


def examine(protocol):
    while True:
        name, sample, sequence = read_text(protocol)
        write_text(protocol, name, REPLY, sample + ": clear", sequence)


if __name__ == "__main__":
    server = TSocket.TServerSocket("127.0.0.1", 0)
    server.listen()
    print(server.handle.getsockname()[1], flush=True)
    examine(binary(TTransport.TBufferedTransport(server.accept())))
