from harbour_office.boats import run_harbour

if __name__ == "__main__":
    run_harbour(lose=True, crates=5)
