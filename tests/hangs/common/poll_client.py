"""Asks a server on the given port for /news, again and again, and waits as long as it takes."""

import sys
import urllib.request

print(0, flush=True)
while True:
    urllib.request.urlopen("http://127.0.0.1:%s/news" % sys.argv[1]).read()
