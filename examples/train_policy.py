"""Trains a small policy by playing against itself on `Batch`, with NumPy only, then plays it against chance.

    python examples/train_policy.py

The policy is a table of preferences by kind of node and action; a softmax over the legal actions chooses.
REINFORCE: what an animal did in games where it ended above the others becomes more likely.
"""

import numpy as np

import ds_sim as ds
from ds_sim.nodes import NODES

RULES = ds.Rules(animals=("mammal", "bird", "arachnid", "insect"), max_turns=4)
GAMES, GENERATIONS, RATE = 128, 4, 4.0


def choose(batch, preferences, rng):
    """An action for each row, and the probabilities (rows, 235) it was drawn from."""
    mask = batch.legal_mask()
    mask[batch.is_terminal, 0] = True
    weights = np.exp(preferences[batch.array["node"]]) * mask
    probabilities = weights / weights.sum(axis=1, keepdims=True)
    # The first action whose cumulated probability exceeds a random number.
    actions = (probabilities.cumsum(axis=1) > rng.random((len(batch), 1))).argmax(axis=1)
    return actions, probabilities


def play(batch, tables, rng):
    """Plays all rows to the end; tables[animal] is the preferences of each animal. Yields every step before
    it is taken."""
    while not batch.is_terminal.all():
        actors = batch.array["actor"].copy()
        actions, probabilities = choose(batch, tables[0], rng)
        for animal, table in enumerate(tables[1:], start=1):
            if table is not tables[0]:
                other, _ = choose(batch, table, rng)
                actions = np.where(actors == animal, other, actions)
        yield actors, batch.array["node"].copy(), actions, probabilities
        batch.apply(actions)


def advantage(batch):
    """How far each animal ended above the mean of all, in standard deviations: (games, 6)."""
    playing = [ds.board.ANIMAL_ID[animal] for animal in RULES.animals]
    vp = batch.array["vp"].astype(float)
    result = np.zeros_like(vp)
    result[:, playing] = vp[:, playing] - vp[:, playing].mean(axis=1, keepdims=True)
    result[:, playing] -= result[:, playing].mean(axis=0)  # the animals are not equally strong
    return result / result[:, playing].std()


def improve(preferences, seed, rng):
    """One generation: the games of a seed, then a step along the gradient of the expected advantage."""
    batch = ds.Batch(RULES, GAMES, seed=seed)
    steps = list(play(batch, [preferences] * 6, rng))
    gain = advantage(batch)
    gradient, visits = np.zeros_like(preferences), np.ones((len(NODES), 1))
    for actors, nodes, actions, probabilities in steps:
        rows = np.flatnonzero(nodes)  # games that go on
        worth = gain[rows, actors[rows]]
        np.add.at(gradient, (nodes[rows], actions[rows]), worth)
        np.add.at(gradient, nodes[rows], -worth[:, None] * probabilities[rows])
        np.add.at(visits, nodes[rows], 1)
    return preferences + RATE * gradient * np.sqrt(visits) / visits


def win_rate(preferences, rng, games=256):
    """How often the policy wins against three players that move at random, from every seat in turn."""
    wins = 0
    for seat, animal in enumerate(RULES.animals):
        tables = [np.zeros_like(preferences)] * 6
        tables[ds.board.ANIMAL_ID[animal]] = preferences
        batch = ds.Batch(RULES, games // len(RULES.animals), seed=1000 + seat)
        for _ in play(batch, tables, rng):
            pass
        wins += sum(batch.state(row).winner == animal for row in range(len(batch)))
    return wins / games


def main():
    rng = np.random.default_rng(1)
    preferences = np.zeros((len(NODES), ds.actions.N_ACTIONS))
    print(f"untrained, against three at random: {win_rate(preferences, rng):.0%}")
    for generation in range(GENERATIONS):
        preferences = improve(preferences, generation, rng)
    print(f"trained: {win_rate(preferences, rng):.0%}")
    place = NODES.index("place")
    best = np.argsort(-preferences[place])[:5]
    print("places first:", ", ".join(ds.actions.text(int(action)).removeprefix("place:") for action in best))


if __name__ == "__main__":
    main()
