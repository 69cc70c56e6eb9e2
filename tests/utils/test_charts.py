"""Charts as SVG: bars and lines to scale, error bars, and files."""

from xml.etree import ElementTree

import pytest

from rl_toolkit.utils.svg.chart import Chart, check_can_draw, save_chart


def bars_of(chart: Chart) -> list[float]:
    root = ElementTree.fromstring(chart.to_svg())
    rectangles = [e for e in root if e.tag.endswith("rect")][1:]  # the first is the paper
    return [float(e.attrib["height"]) for e in rectangles]


def test_bars_are_as_high_as_their_values():
    low, high = bars_of(Chart("t", ["a", "b"], [10, 30]))
    assert high == pytest.approx(3 * low, rel=0.01)
    low, high = bars_of(Chart("t", ["a", "b"], [10, 1000], log=True))
    assert high == pytest.approx(3 * low, rel=0.01)


def test_a_line_has_a_point_and_an_error_bar_for_each_value():
    chart = Chart("t", ["a", "b"], [1, 2], kind="line", errors=[(0, 2), (1, 3)])
    tags = [e.tag.rpartition("}")[2] for e in ElementTree.fromstring(chart.to_svg())]
    assert (tags.count("circle"), tags.count("polyline")) == (2, 1)


@pytest.mark.parametrize("values", [[0.0], [0.0, 0.0], [1e-12, 1e9]])
def test_odd_values_can_be_drawn(values):
    for log in (False, True):
        ElementTree.fromstring(Chart("<&>", ["a"] * len(values), values, log=log).to_svg())


def test_a_chart_is_written_as_an_svg_file_only(tmp_path):
    chart = Chart("t", ["a"], [3.0], y_label="nodes")
    save_chart(chart, str(tmp_path / "chart.svg"))
    assert (tmp_path / "chart.svg").read_text() == chart._repr_svg_() + "\n"
    assert "nodes" in chart.to_svg()
    with pytest.raises(ValueError, match=r"must end in \.svg"):
        check_can_draw("chart.png")
