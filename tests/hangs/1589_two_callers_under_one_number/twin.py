from exchange import long_numbers
from town import run

if __name__ == "__main__":
    run(long_numbers())
