"""What articles cost, for who asks."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

ARTICLES = ["tea", "rice", "soup"]


def price_of(article):
    return len(article) * 7


def compute_prices():
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
        return dict(zip(ARTICLES, pool.map(price_of, ARTICLES)))
