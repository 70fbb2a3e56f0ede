import threading

from flask import Flask

shop = Flask(__name__)
till = threading.Lock()
sales = []


@shop.before_request
def lock_till():
    till.acquire()


@shop.teardown_request
def unlock_till(error):
    till.release()


@shop.post("/sales/<price>")
def note_sale(price):
    sales.append(int(price))
    return {"sales": len(sales)}
