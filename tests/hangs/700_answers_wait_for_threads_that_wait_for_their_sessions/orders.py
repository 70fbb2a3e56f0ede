import tempfile

from fastapi import Depends, FastAPI
from pydantic import BaseModel
from sqlalchemy import create_engine, text
from sqlalchemy.orm import Session

engine = create_engine(
    "sqlite:///%s/orders.db" % tempfile.mkdtemp(),
    pool_size=2,
    max_overflow=0,
    pool_timeout=None,
    connect_args={"check_same_thread": False},
)
app = FastAPI()


class Order(BaseModel):
    number: int
    price: int


def open_session():
    session = Session(engine)
    try:
        yield session
    finally:
        session.close()


@app.get("/orders/{number}", response_model=Order)
def read_order(number: int, session: Session = Depends(open_session)):
    price = session.execute(text("select 7 * :number"), {"number": number}).scalar()
    return {"number": number, "price": price}
