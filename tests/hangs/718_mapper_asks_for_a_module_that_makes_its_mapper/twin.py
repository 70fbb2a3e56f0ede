import os
import signal
import threading
import time

from sqlalchemy import create_engine, select
from sqlalchemy.orm import Session

from customers import Customer
from orders import Base, Order

signal.alarm(120)


def open_orders(engine):
    with Session(engine) as session:
        return session.scalars(select(Order)).all()


def best_customers(engine):
    with Session(engine) as session:
        return session.scalars(select(Customer)).all()


if __name__ == "__main__":
    engine = create_engine("sqlite:///file:shop?mode=memory&cache=shared&uri=true")
    Base.metadata.create_all(engine)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    threading.Thread(target=best_customers, args=(engine,), name="report").start()
    while True:
        open_orders(engine)
        time.sleep(0.02)
