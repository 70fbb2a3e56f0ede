from clinic.scanner import shift

if __name__ == "__main__":
    shift(thorough=True)
