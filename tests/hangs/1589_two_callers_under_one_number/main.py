from exchange import short_numbers
from town import run

if __name__ == "__main__":
    run(short_numbers())
