from market.people import market

if __name__ == "__main__":
    market(loud=True)
