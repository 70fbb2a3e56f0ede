import os
import threading

from threadpool import ThreadPool

from mail.office import Clock, Office

if __name__ == "__main__":
    pool = ThreadPool(3, q_size=4, resq_size=0)
    office = Office(pool)
    clock = Clock(office)
    threading.Thread(target=clock.run, name="clock", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for day in range(100000):
        office.hand_out(["letter %d/%d" % (day, number) for number in range(30)])
        office.collect()
