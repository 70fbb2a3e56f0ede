from postoffice import run

if __name__ == "__main__":
    run(drain_first=False)
