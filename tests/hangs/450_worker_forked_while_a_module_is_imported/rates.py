import time

time.sleep(0.5)
RATE = 1.2
