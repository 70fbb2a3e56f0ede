"""written_elsewhere.py NAME: a thread waits for what a function of another module would end, which
is on no stack, and of which the module of who waits knows nothing."""

import sys
import threading

from elsewhere import hooks, orders
from ready import ready

waiter = threading.Thread(target=getattr(orders, sys.argv[1]), name="waiter", daemon=True)
waiter.start()
threading.Timer(0.1, ready).start()
waiter.join()
assert hooks
