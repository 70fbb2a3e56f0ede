from inn import LateKitchen, run

if __name__ == "__main__":
    run(LateKitchen)
