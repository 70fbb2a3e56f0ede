import os
import threading

from fair.kiosk import Kiosk
from fair.shop import Shop

if __name__ == "__main__":
    shop = Shop(seats=3)
    threading.Thread(target=shop.serve_forever, name="shop", daemon=True).start()
    kiosks = [Kiosk(number, shop.server_port, keeps=False) for number in range(5)]
    for kiosk in kiosks:
        kiosk.start()
        kiosk.opened.wait(1)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for kiosk in kiosks:
        kiosk.join()
