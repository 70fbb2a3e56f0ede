import time

from sqlalchemy.orm import Mapped, mapped_column

from orders import Base


def load_regions():
    time.sleep(1)
    return ["north", "south"]


REGIONS = load_regions()


class Customer(Base):
    __tablename__ = "customers"
    number: Mapped[int] = mapped_column(primary_key=True)
    region: Mapped[str]
