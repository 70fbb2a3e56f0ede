import tempfile

import pandas
from sqlalchemy import create_engine
from sqlalchemy.pool import QueuePool


class Barn:
    def __init__(self, size):
        self.file = tempfile.NamedTemporaryFile(suffix=".db")
        self.engine = create_engine(
            f"sqlite:///{self.file.name}",
            poolclass=QueuePool,
            pool_size=size,
            max_overflow=0,
            pool_timeout=None,
        )

    def fill(self):
        pandas.DataFrame({"field": range(10), "tons": range(10)}).to_sql(
            "harvest", self.engine, if_exists="replace", index=False
        )

    def copy_harvest(self):
        for chunk in pandas.read_sql("SELECT * FROM harvest", self.engine, chunksize=5):
            chunk["sacks"] = chunk["tons"] * 20
            chunk.to_sql("sacks", self.engine, if_exists="append", index=False)
