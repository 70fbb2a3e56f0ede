from names.check import main

if __name__ == "__main__":
    main(looped=False)
