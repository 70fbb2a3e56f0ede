from accounts.office import Office

if __name__ == "__main__":
    print(Office(both_first=True).close_month([3, 5, 8], (0.1, 0.2)))
