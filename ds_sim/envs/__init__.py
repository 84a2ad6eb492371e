"""Adapters to OpenSpiel, PettingZoo, Gymnasium. Each is imported by itself and needs its extra."""
