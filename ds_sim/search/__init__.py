"""Monte Carlo tree search for any number of animals, native and without the GIL.

>>> import ds_sim as ds
>>> state = ds.State(ds.Rules(animals=("bird", "insect")), seed=3)
>>> result = ds.search.mcts(state, simulations=200, seed=1)
>>> result.best in state.legal_actions()
True

Every simulation goes down the tree to a position not seen before, plays it out under a policy, and backs the
returns of all animals up (max^n: C. Luckhardt, K. Irani, "An algorithmic solution of n-person games", 1986).
One decision of the game may be many nodes of the protocol; they are consecutive moves of the same animal,
each with its own choice.

*Selection.* "puct" (D. Silver et al., "Mastering the game of Go without human knowledge", 2017): mean return
+ exploration * prior * sqrt(parent visits) / (1 + visits), where an action not yet visited counts as the
parent's mean return minus `first_play`; "uct" (L. Kocsis, C. Szepesvari, "Bandit based Monte-Carlo planning",
2006): mean return + exploration * sqrt(ln(parent visits) / visits), every action once before any twice.

*Chance.* "open": a node stands for a sequence of decisions and chance is drawn anew in every simulation, so
values are means over chance; right for this game, whose Reseed draws a dozen elements in a row. "explicit":
outcomes are nodes too; exact where few outcomes remain.
"""

from .arena import Arena
from .contestants import SearchPlayer
from .evaluators import Evaluator, evaluator
from .presets import STRONG
from .ratings import ArenaResult, Game, Standing
from .result import Analysis, SearchResult
from .tree import Search, analyse, mcts

__all__ = [
    "STRONG",
    "Analysis",
    "Arena",
    "ArenaResult",
    "Evaluator",
    "Game",
    "Search",
    "SearchPlayer",
    "SearchResult",
    "Standing",
    "analyse",
    "evaluator",
    "mcts",
]
