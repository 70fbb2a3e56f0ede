from harbour_office.boats import run_harbour

if __name__ == "__main__":
    run_harbour(lose=False, crates=5)
