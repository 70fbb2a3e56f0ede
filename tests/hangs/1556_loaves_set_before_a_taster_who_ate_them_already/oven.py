import pytest


def pytest_addoption(parser):
    parser.addoption("--oven", default="warm")


@pytest.fixture
def oven(request):
    return request.config.getoption("--oven")
