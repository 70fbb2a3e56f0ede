import sys


def work(orders_path, drinks_path, first):
    if first == "orders":
        orders = open(orders_path)
        drinks = open(drinks_path, "w", buffering=1)
    else:
        drinks = open(drinks_path, "w", buffering=1)
        orders = open(orders_path)
    for order in orders:
        drinks.write(order)


if __name__ == "__main__":
    work(*sys.argv[1:])
