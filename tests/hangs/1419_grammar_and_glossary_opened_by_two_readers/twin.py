from school import on_demand
from school.lesson import lesson


def opened(name):
    module = on_demand(name)
    if name == "school.glossary":
        print(len(module.WORDS))
    return module


if __name__ == "__main__":
    lesson(opened)
