import time

length = 10**9
while length:
    time.sleep(0.2)
    length -= 1
