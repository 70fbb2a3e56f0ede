import matplotlib

matplotlib.use("QtAgg")
import matplotlib.pyplot as plt


def draw_sales(sales, path):
    figure, axes = plt.subplots()
    axes.bar(list(sales), list(sales.values()))
    axes.set_title("Sales of the week")
    figure.savefig(path)
    plt.close(figure)
    return path
