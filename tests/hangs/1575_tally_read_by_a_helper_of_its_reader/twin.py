import os
import threading
from concurrent.futures import ThreadPoolExecutor

from depot.gate import Gate
from depot.stock import Delivery, Report, Stock

if __name__ == "__main__":
    stock = Stock(Gate(polite=False))
    hands = ThreadPoolExecutor(3, thread_name_prefix="hand")
    report = Report(stock, hands)
    delivery = Delivery(stock)
    threads = [
        threading.Thread(target=report.work, name="report", daemon=True),
        threading.Thread(target=delivery.work, name="delivery", daemon=True),
        threading.Thread(target=stock.blink, name="lamp", daemon=True),
    ]
    for thread in threads:
        thread.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for thread in threads:
        thread.join()
