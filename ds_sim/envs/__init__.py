"""Adapters to the environments of others: OpenSpiel, PettingZoo, Gymnasium. Each is imported by itself and needs its extra."""
