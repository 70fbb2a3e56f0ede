from gazette.desk import gazette

if __name__ == "__main__":
    gazette(in_place=True)
