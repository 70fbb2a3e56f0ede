import datetime
import os
import tempfile
import time

import sqlalchemy
from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler


def ring_bell():
    time.sleep(0.01)


def remind_patient(name):
    time.sleep(0.01)


class Practice:
    def __init__(self, engine, scheduler):
        self.engine = engine
        self.scheduler = scheduler

    def open(self):
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.text("CREATE TABLE visits (name TEXT)"))
        self.scheduler.add_job(ring_bell, "interval", seconds=0.2, id="bell")
        self.scheduler.start()

    def remind(self, name):
        tomorrow = datetime.datetime.now() + datetime.timedelta(days=1)
        self.scheduler.add_job(
            remind_patient, "date", run_date=tomorrow, args=(name,), id=name, replace_existing=True
        )

    def book(self, name):
        with self.engine.connect() as connection:
            statement = sqlalchemy.text("SELECT count(*) FROM visits WHERE name = :name")
            visits = connection.execute(statement, {"name": name}).scalar()
            time.sleep(0.4)
            self.remind(name)
        return visits


def run_practice(folder, pens):
    engine = sqlalchemy.create_engine(
        "sqlite:///" + os.path.join(folder, "practice.db"),
        connect_args={"check_same_thread": False},
        poolclass=sqlalchemy.QueuePool,
        pool_size=pens,
        max_overflow=0,
        pool_timeout=86400,
    )
    scheduler = BackgroundScheduler(jobstores={"default": SQLAlchemyJobStore(engine=engine)})
    practice = Practice(engine, scheduler)
    practice.open()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        practice.book("ida")


PENS = 4


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        run_practice(folder, PENS)
