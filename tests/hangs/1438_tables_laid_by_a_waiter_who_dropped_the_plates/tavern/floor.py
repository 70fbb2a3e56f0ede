import os
import time


def lay_tables(state, plates, log):
    for table in range(6):
        need = plates[table % len(plates)]
        state.laid = table + 1
        log.append("table %d, %d plates a guest" % (table, 24 // need))
        time.sleep(0.1)
    state.ready = True
    while True:
        state.laid = 6
        time.sleep(0.5)


def sweep(log):
    while True:
        log.append("swept by %d" % os.getpid())
        while len(log) > 40:
            log.pop(0)
        time.sleep(0.4)
