"""Positions as pictures.

>>> import ds_sim as ds
>>> ds.view.svg(ds.State(seed=7))[:4]
'<svg'
"""

from .svg import svg

__all__ = ["svg"]
