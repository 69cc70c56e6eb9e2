"""Boards and charts drawn as SVG."""
