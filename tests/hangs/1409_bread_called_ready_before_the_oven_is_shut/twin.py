from bakery.shop import open_shop

if __name__ == "__main__":
    open_shop(patient=False)
