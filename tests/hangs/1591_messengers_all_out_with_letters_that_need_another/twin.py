from townhall import run

if __name__ == "__main__":
    run(messengers=10)
