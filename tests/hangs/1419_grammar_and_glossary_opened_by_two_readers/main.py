from school import on_demand
from school.lesson import lesson

if __name__ == "__main__":
    lesson(on_demand)
