from valley.trip import main

if __name__ == "__main__":
    main(waits=True)
