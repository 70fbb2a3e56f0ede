import os
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

from counting.books import Ledger
from counting.house import Auditor, Cashier

INSIDE = True

if __name__ == "__main__":
    shelf = tempfile.mkdtemp(prefix="counting")
    ledger = Ledger(shelf)
    clerks = ThreadPoolExecutor(2, thread_name_prefix="clerk")
    auditor = Auditor(ledger, clerks, INSIDE)
    cashier = Cashier(ledger)
    threading.Thread(target=cashier.work, name="cashier", daemon=True).start()
    threading.Thread(target=ledger.tick, name="clock", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    auditor.year()
