from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.Thrift import TMessageType, TType


def write_text(protocol, name, kind, text, sequence):
    protocol.writeMessageBegin(name, kind, sequence)
    protocol.writeStructBegin(name)
    protocol.writeFieldBegin("text", TType.STRING, 1)
    protocol.writeString(text)
    protocol.writeFieldEnd()
    protocol.writeFieldStop()
    protocol.writeStructEnd()
    protocol.writeMessageEnd()
    protocol.trans.flush()


def read_text(protocol):
    name, _kind, sequence = protocol.readMessageBegin()
    protocol.readStructBegin()
    text = ""
    while True:
        _field, kind, _number = protocol.readFieldBegin()
        if kind == TType.STOP:
            break
        text = protocol.readString()
        protocol.readFieldEnd()
    protocol.readStructEnd()
    protocol.readMessageEnd()
    return name, text, sequence


def binary(transport):
    return TBinaryProtocol(transport, strictWrite=False)


CALL, REPLY = TMessageType.CALL, TMessageType.REPLY
