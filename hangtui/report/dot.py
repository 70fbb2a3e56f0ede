"""The wait-for graph in Graphviz's language."""

from collections.abc import Iterator

from hangtui.diagnosis import Diagnosis
from hangtui.report.graph_nodes import DrawnEdge, DrawnNode, drawing


def to_dot(diagnosis: Diagnosis) -> str:
    """The digraph; cycles are drawn thick, edges that are only inferred dashed."""
    return "\n".join(_lines(diagnosis)) + "\n"


def _lines(diagnosis: Diagnosis) -> Iterator[str]:
    drawn = drawing(diagnosis)
    yield "digraph waits {"
    yield '    node [fontname="monospace", shape=ellipse];'
    for node in drawn.nodes:
        yield f"    {_node(node)}"
    for edge in drawn.edges:
        yield f"    {_edge(edge)}"
    if drawn.left_out:
        yield f'    more [label="{drawn.left_out} more nodes", shape=plaintext];'
    yield "}"


def _node(node: DrawnNode) -> str:
    shape = ", shape=box" if node.resource else ""
    weight = ", color=red, penwidth=3" if node.cyclic else ""
    label = r"\n".join(map(escaped, node.lines))
    return f'{node.name} [label="{label}"{shape}{weight}];'


def _edge(edge: DrawnEdge) -> str:
    style = ", color=red, penwidth=3" if edge.cyclic else "" if edge.sure else ", style=dashed"
    return f'{edge.source} -> {edge.target} [label="{escaped(edge.label)}"{style}];'


def escaped(text: str) -> str:
    """*text* for a quoted label."""
    return text.replace("\\", r"\\").replace('"', r"\"")
