import time

from sqlalchemy import create_engine, text
from sqlalchemy.orm import scoped_session, sessionmaker


class Hotel:
    def __init__(self, folder):
        self.engine = create_engine(
            "sqlite:///%s/hotel.db" % folder, pool_size=2, max_overflow=0, pool_timeout=None
        )
        self.session = scoped_session(sessionmaker(self.engine))

    def make_bed(self, room):
        time.sleep(0.02)
        return self.session.execute(text("select :room"), {"room": room}).scalar()

    def count_made(self):
        return self.session.execute(text("select 20")).scalar()
