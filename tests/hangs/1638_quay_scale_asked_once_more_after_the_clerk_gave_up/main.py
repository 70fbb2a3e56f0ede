import os
import threading

from harbour.quay import Gauge, Quay
from harbour.scale import Scale, serve

ANSWERS = 3

if __name__ == "__main__":
    port = serve(ANSWERS)
    quay = Quay(Scale(port))
    gauge = Gauge(quay)
    threading.Thread(target=gauge.work, name="gauge", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        quay.land(6)
        quay.close_day()
