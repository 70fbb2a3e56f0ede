import sys
import threading
import time
import urllib.request


def follow_news(house):
    urllib.request.urlopen(house + "/news").read()


house = sys.argv[1]
for _ in range(int(sys.argv[2])):
    threading.Thread(target=follow_news, args=(house,), daemon=True).start()
time.sleep(1)
while True:
    urllib.request.urlopen(urllib.request.Request(house + "/news/soup", method="POST")).read()
    time.sleep(0.2)
