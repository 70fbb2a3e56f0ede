import os
import signal
import threading
import time

from sqlalchemy import create_engine, select
from sqlalchemy.orm import Session

from orders import Order

signal.alarm(120)


def open_orders(engine):
    with Session(engine) as session:
        return session.scalars(select(Order)).all()


def best_customers(engine):
    from customers import Customer

    with Session(engine) as session:
        return session.scalars(select(Customer)).all()


if __name__ == "__main__":
    engine = create_engine("sqlite://")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    threading.Thread(target=best_customers, args=(engine,), name="report").start()
    time.sleep(0.5)
    open_orders(engine)
