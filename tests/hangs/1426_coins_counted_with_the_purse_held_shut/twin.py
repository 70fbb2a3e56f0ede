from ferry.harbour import harbour

if __name__ == "__main__":
    harbour(polite=True)
