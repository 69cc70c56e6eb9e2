"""Plots as SVG: bars, lines, bands and intervals to scale, over numbers and names; and files."""

from xml.etree import ElementTree

import pytest

from rl_toolkit.utils.svg.chart import Chart, check_can_draw, save_chart
from rl_toolkit.utils.svg.plot import PAGE, Axis, Plot, Series, panels


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


# ------------------------------------------------------------------------------ series


def points_of(text: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in text.split())]


def parts_of(svg: str, name: str) -> list[ElementTree.Element]:
    return [e for e in ElementTree.fromstring(svg).iter() if e.tag.rpartition("}")[2] == name]


def test_lines_are_to_scale_and_bands_lie_around_them():
    curve = Series("up", [(0, 0), (50, 1), (100, 4)], band=[(0, 0), (0.5, 2), (3, 5)])
    flat = Series("flat", [(0, 2), (100, 2)])
    svg = Plot("t", [curve, flat], Axis("pulls"), Axis("regret")).to_svg()
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
    svg = Plot("t", [Series("a", [(30, 1), (300, 1), (3000, 1)])], Axis(log=True)).to_svg()
    (line,) = (points_of(e.attrib["points"]) for e in parts_of(svg, "polyline"))
    assert line[1][0] - line[0][0] == pytest.approx(line[2][0] - line[1][0], abs=0.2)
    written = [e.text for e in parts_of(svg, "text")]
    assert [text for text in written if text.startswith("10") or text == "1,000"] == [
        *("10", "100", "1,000", "10,000"),
    ]


def test_bars_of_several_series_stand_on_each_other():
    parts = [Series(name, [(0, 2), (1, count)], "bars") for name, count in (("a", 0), ("b", 3))]
    svg = Plot("", parts, Axis(names=["x", "y"]), Axis()).to_svg()
    bars = [e.attrib for e in parts_of(svg, "rect") if e.attrib.get("width") not in ("14", "600")]
    lower, upper, alone = ((float(b["y"]), float(b["height"])) for b in bars)
    assert upper[0] + upper[1] == pytest.approx(lower[0])
    assert lower[1] == pytest.approx(upper[1])
    assert alone[1] == pytest.approx(1.5 * lower[1], abs=0.1)
    assert alone[0] + alone[1] == pytest.approx(lower[0] + lower[1])


def test_names_may_stand_on_the_left_with_intervals_across():
    points = Series("", [(60, 0), (60, 1)], "points", across=[(20, 90), (50, 70)])
    names = Axis(names=["5 games", "100 games"])
    svg = Plot("t", [points], Axis(high=100, unit=" %", mark=(50, "even")), names).to_svg()
    (first, second) = (
        (float(e.attrib["cx"]), float(e.attrib["cy"])) for e in parts_of(svg, "circle")
    )
    assert first[0] == second[0]
    assert first[1] < second[1]  # the first name is at the top
    mark = next(e for e in parts_of(svg, "line") if "stroke-dasharray" in e.attrib)
    wide, narrow = (e.attrib for e in parts_of(svg, "line") if e.attrib.get("stroke-width"))
    assert float(wide["x1"]) < float(mark.attrib["x1"]) == float(narrow["x1"]) < first[0]
    assert {"5 games", "100 games", "even", "100 %"} <= {e.text for e in parts_of(svg, "text")}


def test_a_plot_in_a_page_has_the_colours_of_the_page_only():
    plots = [
        Plot("", [Series(name, [(0, 1)], kind)], Axis(names=["a"]), Axis())
        for name, kind in (("a", "bars"), ("b", "line"), ("", "points"))
    ]
    for plot in plots:
        svg = plot.to_svg(theme=PAGE)
        colours = {
            e.attrib.get(key)
            for e in ElementTree.fromstring(svg).iter()
            for key in ("fill", "stroke")
        }
        assert all(colour.startswith("var(--") for colour in colours - {None, "none"})
    assert panels(plots).count("translate(") == 3


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("chart", [
    Chart("A title that is rather long for a telephone", ["a label", "another long label"] * 3,
          [1.0, 20.0] * 3, "nodes"),
    Plot("t", [Series(f"curve {n}", [(0, n), (9, 2 * n)], texts=["", "at its end"])
               for n in range(7)], Axis("ply"), Axis("games")),
    Plot("t", []),
], ids=["bars", "curves", "none"])  # fmt: skip
def test_pictures_stay_within_their_frame_and_have_two_themes(chart, narrow):
    light, dark = chart.to_svg(narrow=narrow), chart.to_svg(dark=True, narrow=narrow)
    assert "#1c2129" in dark
    assert "#1c2129" not in light
    root = ElementTree.fromstring(light)
    width = float(root.attrib["width"])
    assert width == (330 if narrow else 600)
    for text in parts_of(light, "text"):
        x, wide = float(text.attrib["x"]), 7.2 * len(text.text)
        assert -20 <= x <= width
        if text.attrib["text-anchor"] == "start":
            assert x + wide <= width + 20
        assert float(text.attrib["font-size"]) >= 13
