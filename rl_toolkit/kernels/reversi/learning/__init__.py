"""Fitting pattern weights: self-play, labels and the fit."""
