import json
import struct

HEAD = struct.Struct(">I")


def pack(message, spare=0):
    body = json.dumps(message, ensure_ascii=False)
    return HEAD.pack(len(body.encode()) + spare) + body.encode()


async def receive(reader):
    (size,) = HEAD.unpack(await reader.readexactly(HEAD.size))
    return json.loads(await reader.readexactly(size))
