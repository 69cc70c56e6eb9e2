"""Calibration: the levels of a game rated on one scale, until every interval is small enough."""
