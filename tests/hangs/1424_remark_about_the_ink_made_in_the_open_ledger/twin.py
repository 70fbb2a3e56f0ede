from office.clerks import open_office

if __name__ == "__main__":
    open_office(strict=False)
