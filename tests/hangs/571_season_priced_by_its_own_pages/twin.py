import os
import signal
from concurrent.futures import ThreadPoolExecutor

import streamlit as st

signal.alarm(120)
SEASONS = {"spring": (3, 4, 7), "autumn": (2, 9, 5)}


@st.cache_resource(show_spinner=False)
def price_book(season):
    with ThreadPoolExecutor(3, thread_name_prefix="page") as pages:
        return list(pages.map(lambda number: price_page(season, number), range(3)))


def price_page(season, number):
    return {"price": SEASONS[season][number], "discount": discount(season)}


def discount(season):
    book = SEASONS[season]
    return len(book) // 3


def show_shop(season):
    return sum(page["price"] for page in price_book(season))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        for season in SEASONS:
            show_shop(season)
        price_book.clear()
