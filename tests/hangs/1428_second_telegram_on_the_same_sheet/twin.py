from wire.broker import trade

if __name__ == "__main__":
    trade(1)
