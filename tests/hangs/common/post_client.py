"""Posts a payment again and again, and waits for every answer; ends with the server."""

import http.client
import sys
import time

print(0, flush=True)
sys.stdout.close()
while True:
    try:
        line = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
        line.request("POST", sys.argv[2], b'{"amount": 12}', {"Content-Type": "application/json"})
        line.getresponse().read()
    except (OSError, http.client.HTTPException):
        break
    time.sleep(0.2)
