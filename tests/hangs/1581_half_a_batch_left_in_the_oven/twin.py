from bakery import run

if __name__ == "__main__":
    run(gently=True)
