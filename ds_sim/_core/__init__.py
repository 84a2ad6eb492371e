"""The compiled core: move generation, drivers, states and batches. Use it through `ds_sim`."""
