"""Builds the knowledge graph of a dialogue with networkx and writes it as GraphML or as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mutatis.context.dialogue import Dialogue
from mutatis.context.knowledge import Need
from mutatis.core.errors import UsageError
from mutatis.core.extras import require

if TYPE_CHECKING:
    import networkx as nx

_COLOURS = {"question": "#4c78a8", "entity": "#f58518", "topic": "#54a24b", "type": "#b279a2"}
PICTURE_LIMIT = 150
"""Maximum number of nodes in a picture, which would otherwise be unreadable. Nodes with the most edges are kept."""


def word_graph(
    dialogue: Dialogue, said: Sequence[frozenset[str]], full: Sequence[frozenset[str]], needed: Sequence[Sequence[Need]]
) -> nx.MultiDiGraph[str]:
    """Return a graph that links each question to the words that it contains, adds to the context, or needs."""
    import networkx as nx

    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(name=dialogue.id, topic=dialogue.title)
    for turn, question in enumerate(dialogue.questions):
        node = f"q{turn + 1}"
        graph.add_node(node, kind="question", label=question)
        for word in sorted(full[turn]):
            graph.add_node(word, kind="entity", label=word)
            graph.add_edge(node, word, label="says" if word in said[turn] else "offers")
        for need in needed[turn]:
            for part in need.parts:
                graph.add_node(part, kind="entity", label=part)
                graph.add_edge(node, part, label="needs")
    return graph


def export_graph(graph: nx.MultiDiGraph[str], path: Path) -> Path:
    """Write the graph as .graphml, or as a picture (.png, .svg or .pdf) drawn with matplotlib."""
    import networkx as nx

    suffix = path.suffix.lower()
    if suffix == ".graphml":
        nx.write_graphml(graph, path)
        return path
    if suffix not in {".png", ".svg", ".pdf"}:
        raise UsageError(
            f"cannot write a graph as {path.name!r}; expected a name that ends in .graphml, .png, .svg or .pdf"
        )
    require("plot", "the picture of a graph")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    kept = sorted(graph.nodes, key=lambda node: (-graph.degree(node), str(node)))[:PICTURE_LIMIT]
    shown = graph.subgraph(kept)
    figure = Figure(figsize=(14, 10), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.set_axis_off()
    places = nx.spring_layout(shown, seed=7, k=1.2) if len(shown) else {}
    colours = [_COLOURS.get(shown.nodes[node].get("kind", "entity"), "#999999") for node in shown]
    labels = {node: str(shown.nodes[node].get("label", node))[:40].replace("$", "\\$") for node in shown}
    nx.draw_networkx_nodes(shown, places, ax=axes, node_color=colours, node_size=220)
    nx.draw_networkx_edges(shown, places, ax=axes, edge_color="#bbbbbb", arrowsize=8)
    nx.draw_networkx_labels(shown, places, ax=axes, labels=labels, font_size=7)
    edges = {(source, target): data.get("label", "") for source, target, data in shown.edges(data=True)}
    if len(edges) <= 60:
        nx.draw_networkx_edge_labels(shown, places, ax=axes, edge_labels=edges, font_size=6)
    figure.savefig(path, dpi=120)
    return path
