from scales.sender import main

if __name__ == "__main__":
    main(spare=1, delay=0.1)
