import threading

from flask import Flask

shop = Flask(__name__)
till = threading.Lock()
sales = []


@shop.before_request
def lock_till():
    till.acquire()


@shop.after_request
def unlock_till(response):
    till.release()
    return response


@shop.post("/sales/<price>")
def note_sale(price):
    sales.append(int(price))
    return {"sales": len(sales)}
