"""A language server on standard input and output; ends when told to only if told "obeys"."""

import json
import sys

source, sink = sys.stdin.buffer, sys.stdout.buffer
while True:
    header = source.readline()
    if not header and "obeys" in sys.argv[1:]:
        break
    if not header.lower().startswith(b"content-length"):
        if not header:
            sys.stdin = open("/dev/null")
            import signal

            signal.pause()
        continue
    source.readline()
    message = json.loads(source.read(int(header.split(b":")[1])))
    if message["method"] == "exit" and "obeys" in sys.argv[1:]:
        break
    if "id" in message:
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"ok": 1}}).encode()
        sink.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        sink.flush()
