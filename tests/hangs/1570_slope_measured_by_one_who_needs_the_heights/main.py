import os
import queue
import threading

import tensorstore

from maps.atlas import Atlas, Printer
from maps.relief import Relief

if __name__ == "__main__":
    below = tensorstore.Context({"data_copy_concurrency": {"limit": 1}})
    above = below
    relief = Relief(below, above)
    sheets = queue.Queue(maxsize=4)
    atlas = Atlas(relief, sheets)
    printer = Printer(sheets)
    threading.Thread(target=atlas.work, name="draughtsman", daemon=True).start()
    threading.Thread(target=printer.hum, name="hum", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        printer.fetch()
