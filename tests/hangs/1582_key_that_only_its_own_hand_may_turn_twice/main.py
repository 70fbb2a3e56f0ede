from office import run

if __name__ == "__main__":
    run(together=True)
