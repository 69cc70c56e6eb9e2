"""Charts as SVG: bars and lines to scale, error bars, and files."""

from xml.etree import ElementTree

import pytest

from rl_toolkit.utils.svg.chart import Chart, check_can_draw, save_chart
from rl_toolkit.utils.svg.curves import Curve, Curves


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


# ------------------------------------------------------------------------------- curves


def points_of(text: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in text.split())]


def parts_of(svg: str, name: str) -> list[ElementTree.Element]:
    return [e for e in ElementTree.fromstring(svg).iter() if e.tag.rpartition("}")[2] == name]


def test_curves_are_to_scale_and_bands_lie_around_them():
    curve = Curve("up", [(0, 0), (50, 1), (100, 4)], [(0, 0), (0.5, 2), (3, 5)])
    svg = Curves("t", [curve, Curve("flat", [(0, 2), (100, 2)])], "pulls", "regret").to_svg()
    up, flat = (points_of(e.attrib["points"]) for e in parts_of(svg, "polyline"))
    assert up[1][0] - up[0][0] == pytest.approx(up[2][0] - up[1][0], abs=0.2)
    assert up[0][1] - up[2][1] == pytest.approx(4 * (up[0][1] - up[1][1]), abs=0.5)
    assert flat[0][1] == flat[1][1] == pytest.approx((up[0][1] + up[2][1]) / 2, abs=0.2)
    (band,) = (points_of(e.attrib["points"]) for e in parts_of(svg, "polygon"))
    low, high = band[:3], band[:2:-1]
    for (x, y), (_, below), (_, above) in zip(up, low, high, strict=True):
        assert above <= y <= below
        assert x == pytest.approx(low[up.index((x, y))][0])


def test_a_log_axis_has_powers_of_ten_at_equal_distances():
    svg = Curves("t", [Curve("a", [(1, 1), (10, 1), (100, 1)])], log_x=True).to_svg()
    (line,) = (points_of(e.attrib["points"]) for e in parts_of(svg, "polyline"))
    assert line[1][0] - line[0][0] == pytest.approx(line[2][0] - line[1][0], abs=0.2)


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("chart", [
    Chart("A title that is rather long for a telephone", ["a label", "another long label"] * 3,
          [1.0, 20.0] * 3, "nodes"),
    Curves("t", [Curve(f"curve {n}", [(0, n), (9, 2 * n)]) for n in range(7)], "ply", "games"),
    Curves("t", []),
], ids=["bars", "curves", "none"])  # fmt: skip
def test_pictures_stay_within_their_frame_and_have_two_themes(chart, narrow):
    light, dark = chart.to_svg(narrow=narrow), chart.to_svg(dark=True, narrow=narrow)
    assert "#1c2129" in dark
    assert "#1c2129" not in light
    root = ElementTree.fromstring(light)
    width = float(root.attrib["width"])
    assert width == (330 if narrow else 600)
    for text in parts_of(light, "text"):
        assert -20 <= float(text.attrib["x"]) <= width
        assert float(text.attrib["font-size"]) >= 13
