"""A Monte Carlo tree search of one's own on `State`, beside `ds.search`.

    python examples/own_mcts.py

UCT with returns for all animals (max^n) and open-loop chance: every simulation draws its own.
"""

import math

import ds_sim as ds


class Node:
    def __init__(self):
        self.children, self.visits, self.returns = {}, 0, 0.0

    def best(self, actions, animal):
        def upper_bound(action):
            child = self.children.get(action)
            if child is None:
                return math.inf
            spread = math.sqrt(math.log(self.visits) / child.visits)
            return child.returns[animal] / child.visits + spread

        return max(actions, key=upper_bound)


def search(state, simulations, seed):
    root = Node()
    for simulation in range(simulations):
        game, node, path = state.clone(), root, [root]
        game.reseed(seed, simulation)
        while not game.is_terminal and (node.visits or node is root):
            action = node.best(game.legal_actions().tolist(), ds.board.ANIMAL_ID[game.actor])
            node = node.children.setdefault(action, Node())
            path.append(node)
            game.apply(action)
        if not game.is_terminal:
            returns = ds.playouts_from(game, 1, seed=seed, first=simulation).returns("win")[0]
        else:
            returns = game.returns("win")
        for node in path:
            node.visits, node.returns = node.visits + 1, node.returns + returns
    return max(root.children, key=lambda action: root.children[action].visits)


def main():
    state = ds.State(ds.Rules(animals=("bird", "insect"), max_turns=3), seed=7)
    for _ in range(3):
        own, native = search(state, 500, seed=1), ds.search.mcts(state, 500, selection="uct", seed=1).best
        print(f"own: {state.describe(own)}; ds.search: {state.describe(native)}")
        state.apply(own)


if __name__ == "__main__":
    main()
