from ledger.till import main

if __name__ == "__main__":
    main(early=False)
