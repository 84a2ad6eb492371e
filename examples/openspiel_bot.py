"""OpenSpiel's Monte Carlo tree search plays the first animal against random players.

python examples/openspiel_bot.py --turns 2 --simulations 5
"""

from __future__ import annotations

import argparse

import numpy as np
import pyspiel

import ds_sim.envs.openspiel


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--animals", default="mammal,bird,insect")
    options.add_argument("--turns", type=int, default=1, help="the game is stopped after so many")
    options.add_argument("--simulations", type=int, default=5, help="of each decision")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()

    parameters = {"animals": given.animals, "rules": f'{{"max_turns": {given.turns}}}'}
    game = pyspiel.load_game(ds_sim.envs.openspiel.NAME, parameters)
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=given.seed)
    bot = pyspiel.MCTSBot(
        game,
        evaluator,
        uct_c=1.4,
        max_simulations=given.simulations,
        max_memory_mb=100,
        solve=False,
        seed=given.seed,
        verbose=False,
    )
    random = np.random.default_rng(given.seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
            action = random.choice(outcomes, p=probabilities)
        elif state.current_player() == 0:
            # Not bot.step(state): it lets go of the GIL, and no Python game survives that (OpenSpiel 2.0.2).
            action = bot.step_with_policy(state)[1]
            print(f"{state.position.node:<18} {state.action_to_string(0, action)}")
        else:
            action = random.choice(state.legal_actions())
        state.apply_action(int(action))
    for animal, returns in zip(game.rules.animals, state.returns(), strict=True):
        print(f"{animal}: {state.position.scores[ds_sim.board.ANIMAL_ID[animal]]} VP, returns {returns}")


if __name__ == "__main__":
    main()
