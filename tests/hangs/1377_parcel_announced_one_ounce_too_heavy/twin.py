from scales.sender import main

if __name__ == "__main__":
    main(spare=0, delay=60)
