import os
import sqlite3
import time

import pytest

GOODS = [("tea", 2.5), ("pie", 4.0), ("tea", 3.0)]


@pytest.fixture(scope="session")
def shop(worker_id):
    path = os.path.join(os.environ["SHOP_FOLDER"], "shop.db")
    if worker_id == "gw0":
        fill(path + ".new")
        os.rename(path + ".new", path)
    wait_for_shop(path)
    return sqlite3.connect(path)


def fill(path):
    with sqlite3.connect(path) as database:
        database.execute("create table goods (name text primary key, price real)")
        database.executemany("insert into goods values (?, ?)", GOODS)


def wait_for_shop(path):
    while not os.path.exists(path):
        time.sleep(0.1)


@pytest.mark.parametrize("number", range(6))
def test_price(shop, number):
    assert shop.execute("select max(price) from goods").fetchone() == (4.0,)
