"""The wait-for graph as a Mermaid flowchart, for issues and chats that draw it."""

from collections.abc import Iterator

from hangtui.diagnosis import Diagnosis
from hangtui.report.graph_nodes import DrawnEdge, DrawnNode, drawing

_SAFE = {" ", ".", ",", ":", "/", "-", "_", "+", "=", "!", "?"}


def to_mermaid(diagnosis: Diagnosis) -> str:
    """The flowchart; cycles are drawn thick, edges that are only inferred dotted."""
    return "\n".join(_lines(diagnosis)) + "\n"


def _lines(diagnosis: Diagnosis) -> Iterator[str]:
    drawn = drawing(diagnosis)
    yield "flowchart TD"
    for node in drawn.nodes:
        yield f"    {_node(node)}"
    for edge in drawn.edges:
        yield f"    {_edge(edge)}"
    if not drawn.nodes:
        yield '    none["nobody waits for anything"]'
    if drawn.left_out:
        yield f'    more["{drawn.left_out} more nodes"]'
    if any(node.cyclic for node in drawn.nodes):
        yield "    classDef cycle stroke:#d00,stroke-width:3px;"
        yield f"    class {','.join(node.name for node in drawn.nodes if node.cyclic)} cycle"


def _node(node: DrawnNode) -> str:
    text = "<br/>".join(map(escaped, node.lines))
    return f'{node.name}["{text}"]' if node.resource else f'{node.name}(["{text}"])'


def _edge(edge: DrawnEdge) -> str:
    arrow = "==>" if edge.cyclic else "-->" if edge.sure else "-.->"
    return f'{edge.source} {arrow}|"{escaped(edge.label)}"| {edge.target}'


def escaped(text: str) -> str:
    """*text* with everything that Mermaid or HTML could take for syntax as a number."""
    return "".join(char if char.isalnum() or char in _SAFE else f"#{ord(char)};" for char in text)
