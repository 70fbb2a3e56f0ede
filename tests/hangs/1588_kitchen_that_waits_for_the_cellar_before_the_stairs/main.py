from inn import Kitchen, run

if __name__ == "__main__":
    run(Kitchen)
