from sqlalchemy import create_engine, text
from sqlalchemy.orm import scoped_session, sessionmaker
from sqlalchemy.pool import QueuePool

engine = create_engine(
    "sqlite:///file:stock?mode=memory&cache=shared&uri=true",
    poolclass=QueuePool,
    pool_size=2,
    max_overflow=0,
    pool_timeout=None,
    connect_args={"check_same_thread": False},
)
Session = scoped_session(sessionmaker(engine))


def fill_stock(prices):
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE prices (good text, price integer)"))
        for good, price in prices.items():
            connection.execute(
                text("INSERT INTO prices VALUES (:good, :price)"), {"good": good, "price": price}
            )


def read_price(good):
    query = text("SELECT price FROM prices WHERE good = :good")
    return Session.execute(query, {"good": good}).scalar()
