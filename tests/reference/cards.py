"""The effects of the dominance cards (rules.md section 7). `me` is the animal that took the card."""

from functools import partial

from . import actions as act
from .board import CORNERS_OF, ELEMENTS


def carry_out(s, card, me, scored):
    """All of the card that can be carried out; `scored` is the tile that gave it."""
    nodes = EFFECTS[card](s, me, scored)
    if nodes is not None:  # a generator: the card asks something
        yield from nodes
    s.drop_cones()


def glaciate(s, animal, passing):
    """R-GLA-2 to 5; also the action itself, where `passing` allows to forgo."""
    edge = s.tiles_where(lambda tile: not tile.tundra)
    edge = [h for h in edge if s.tundra_neighbors(h)] if s.tundra_left else []
    hex_ = yield from s.choose("glaciate", animal, passing | act.hexes(edge))
    if hex_ is not None:
        s.freeze(animal, hex_)


def in_bag(s):
    return act.elements(e for e in ELEMENTS if s.bag[e])


def above(s, me):
    """The animal itself and all above it in the food chain."""
    return s.animals[: s.animals.index(me) + 1]


def below(s, me):
    return s.animals[s.animals.index(me) :]


def others(s, me):
    return [animal for animal in s.animals if animal != me]


def aquatic(s, me, _):
    water = s.tiles_where(lambda tile: tile.kind in ("sea", "wetland"))
    open_ = [h for h in water if s.vacant_corners(h)] if any(s.bag.values()) else []
    hex_ = yield from s.choose("aquatic_hex", me, act.hexes(open_ or water))
    if hex_ is None:
        return
    if open_:
        element = yield from s.choose("aquatic_element", me, in_bag(s))
        corner = yield from s.choose("aquatic_corner", me, act.corners(s.vacant_corners(hex_)))
        s.put_element(s.bag, element, corner)
    most = min(4, s.gene_pool[me])
    yield from s.count("aquatic_count", me, most, partial(s.breed, me, hex_))


def biodiversity(s, me, _):
    s.score(me, len(s.shared_tiles_of(me)), "biodiversity")


def biomass(s, me, _):
    for hex_ in [h for h in sorted(s.tiles) if s.tiles[h].total > len(s.elements_on(h))]:
        victim = yield from s.choose("biomass_victim", me, act.animals(s.tiles[hex_].present))
        s.eliminate(victim, hex_)


def blight(s, me, _):
    rich = [h for h in s.tiles if len(s.elements_on(h)) >= 2]
    hex_ = yield from s.choose("blight_hex", me, act.hexes(rich))
    if hex_ is None:
        return
    laid = [c for c in CORNERS_OF[hex_] if c in s.corners]
    kept = yield from s.choose("blight_keep", me, act.corners(laid))
    for corner in laid:
        if corner != kept:
            s.clear_corner(corner)


def catastrophe(s, me, _):
    def struck(h):
        return s.tiles[h].total >= 2 or any(s.tiles[n].total for n in s.neighbors(h))

    hex_ = yield from s.choose("catastrophe_hex", me, act.hexes(h for h in s.tiles if struck(h)))
    if hex_ is None:
        return
    tile = s.tiles[hex_]
    if tile.total >= 2:
        kept = yield from s.choose("catastrophe_keep", me, act.animals(tile.present))
        for animal in tile.present:
            s.eliminate(animal, hex_, tile.species[animal] - (animal == kept))
    for near in [h for h in s.neighbors(hex_) if s.tiles[h].total]:
        victim = yield from s.choose("catastrophe_victim", me, act.animals(s.tiles[near].present))
        s.eliminate(victim, near)


def cold_snap(s, me, _):
    for animal in others(s, me):
        for hex_ in s.tiles_of(animal):
            if s.tiles[hex_].tundra:
                s.eliminate(animal, hex_)


def disease(s, me, _):
    for animal in [a for a in s.animals if s.number_held(a) > s.number_held(me)]:
        element = yield from s.choose("disease", animal, act.elements(s.loose(animal)))
        if element:
            s.lose_element(animal, element)


def ecodiversity(s, me, _):
    s.score(me, sum(s.held[me][element] > 0 for element in s.corners.values()), "ecodiversity")


def evolution(s, me, _):
    victims = others(s, me)
    for _time in range(2):
        on_earth = [animal for animal in victims if s.tiles_of(animal)]
        if not s.gene_pool[me]:
            return
        victim = yield from s.choose("evolution_animal", me, act.PASS | act.animals(on_earth))
        if victim is None:
            return
        hex_ = yield from s.choose("evolution_hex", me, act.hexes(s.tiles_of(victim)))
        s.eliminate(victim, hex_)
        s.breed(me, hex_, 1)
        victims = victims[victims.index(victim) + 1 :]


def fecundity(s, me, _):
    for hex_ in s.tiles_of(me):
        yield from s.count("fecundity", me, min(1, s.gene_pool[me]), partial(s.breed, me, hex_))


def fertile(s, me, _):
    hex_ = yield from s.choose("fertile", me, act.hexes(s.tiles_of(me)))
    if hex_ is not None:
        s.score(me, s.tiles[hex_].total, "fertile")


def habitat(s, me, _):
    if any(s.bag.values()) and s.vacant_corners():
        element = yield from s.choose("habitat_element", me, in_bag(s))
        corner = yield from s.choose("habitat_corner", me, act.corners(s.vacant_corners()))
        s.put_element(s.bag, element, corner)


def hibernation(s, me, _):
    if not s.eliminated[me]:
        return

    def wake(number):
        s.eliminated[me] -= number
        s.tiles[hex_].species[me] += number
        s.hibernate(me, hex_, number)

    hex_ = yield from s.choose("hibernate_hex", me, act.hexes(s.tiles))
    yield from s.count("hibernate_count", me, min(5, s.eliminated[me]), wake)


def ice_age(s, _me, _):
    for animal in s.animals:
        dominated = [h for h in s.tiles if s.dominant(h) == animal]
        s.score(animal, s.bonus(len(dominated)), "ice_age")


def ice_sheet(s, me, _):
    return glaciate(s, me, {})


def immigrants(s, _me, _):
    for animal in s.animals:
        losses = act.elements(s.loose(animal)) | (act.LOSE_PAWN if s.pawns[animal] else {}) | act.LOSE_SPECIES
        loss = yield from s.choose("immigrants", animal, losses)
        if loss == "lose_pawn":
            s.pawns[animal] -= 1
        elif loss == "lose_species":
            for hex_ in s.tiles_of(animal):
                s.eliminate(animal, hex_, s.tiles[hex_].species[animal] - 1)
        else:
            s.lose_element(animal, loss)


def instinct(s, me, _):
    if s.pawns[me]:
        space = yield from s.choose("instinct", me, act.spaces(s.vacant_spaces()))
        if space:
            s.place_pawn(me, space)


def intelligence(s, me, _):
    for animal in above(s, me):
        s.pawns[animal] += 1


def mass_exodus(s, me, _):
    full = s.tiles_where(lambda tile: tile.total)
    source = yield from s.choose("exodus_hex", me, act.hexes(full))
    if source is None:
        return
    here = s.tiles[source].species
    *first, last = s.neighbors(source)  # the earth is connected: every tile has a neighbour
    for animal in s.tiles[source].present:
        for target in first:
            yield from s.count("exodus_count", me, here[animal], partial(s.move, animal, source, target))
        s.move(animal, source, last, here[animal])


def metamorphosis(s, me, _):
    if not any(s.bag.values()):
        return
    given = yield from s.choose("metamorphosis_give", me, act.elements(s.loose(me)))
    if given is None:
        return
    gained = yield from s.choose("metamorphosis_take", me, in_bag(s))
    s.lose_element(me, given)
    s.bag[gained] -= 1
    s.held[me][gained] += 1


def niche_biomes(s, me, scored):
    first_place = s.values(scored)[0] if s.values(scored) else 0
    for animal in [a for a in s.animals if s.vp[a] > s.vp[me]]:
        s.lose_vp(animal, first_place)


def nocturnal(s, me, _):
    s.swap_left(me)


def omnivore(s, me, _):
    s.pawns[me] += 1


def parasitism(s, me, _):
    for animal in below(s, me):
        s.pawns[animal] += 1


def predator(s, me, _):
    for hex_ in s.tiles_of(me):
        victim = yield from s.choose("predator_victim", me, act.animals(s.opponents(me, hex_)))
        if victim:
            s.eliminate(victim, hex_)


def symbiotic(s, me, _):
    for animal in [me] + [a for a in s.animals if s.number_held(a) < s.number_held(me)]:
        if s.number_held(animal) < 6:
            element = yield from s.draw("draw_element", act.elements, s.bag)
            if element:
                s.bag[element] -= 1
                s.held[animal][element] += 1


EFFECTS = {
    effect.__name__: effect
    for effect in (
        aquatic,
        biodiversity,
        biomass,
        blight,
        catastrophe,
        cold_snap,
        disease,
        ecodiversity,
        evolution,
        fecundity,
        fertile,
        habitat,
        hibernation,
        ice_age,
        ice_sheet,
        immigrants,
        instinct,
        intelligence,
        mass_exodus,
        metamorphosis,
        niche_biomes,
        nocturnal,
        omnivore,
        parasitism,
        predator,
        symbiotic,
    )
}
