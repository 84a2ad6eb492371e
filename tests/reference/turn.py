"""The course of the game: setup, planning, the actions in order, reset (rules.md sections 1 to 6)."""

from functools import partial

from . import actions as act
from . import cards
from .board import BOXES, COMPETITIONS, CORNERS_OF, ELEMENTS, MIGRATIONS, numbered
from .position import Tile

SHIFTS = (("wasteland", "depletion"), ("abundance", "wasteland"), ("adaptation", "regression"))  # R-RES-4


class Turn:
    """The methods are generators that yield once for every presented node."""

    def __init__(self, state):
        self.s = state

    def game(self):
        s = self.s
        yield from self.refill_cards_and_tiles()
        yield from self.draw_boxes()
        while True:
            s.phase = "planning"
            yield from self.planning()
            s.phase = "execution"
            yield from self.execution()
            s.phase = "reset"
            yield from self.extinction()
            self.survival()
            if self.is_over():
                break
            yield from self.reseed()
            s.turn += 1
        for hex_ in s.tiles:  # R-END-1
            s.score_tile(hex_, "final_scoring")
        s.phase = "ended"

    # Chance

    def refill_cards_and_tiles(self):
        s = self.s
        while len(s.face_up) < 5:
            unseen = [card for card in s.rules.cards if card not in s.face_up + s.taken]
            if len(unseen) > 1:
                unseen.remove("ice_age")  # it lies at the bottom
            card = yield from s.draw("reveal_card", act.cards, dict.fromkeys(unseen, 1))
            if card is None:
                break
            s.face_up.append(card)
        for stack in s.stacks:
            if stack.face_up is None and stack.left:
                stack.face_up = yield from s.draw("reveal_tile", act.terrains, s.unseen_tiles)
                stack.left -= 1
                s.unseen_tiles[stack.face_up] -= 1

    def draw_boxes(self):
        s = self.s
        for box in ("adaptation", "abundance", "wanderlust"):
            for _ in range(4):
                element = yield from s.draw("draw_element", act.elements, s.bag)
                if element is not None:
                    s.bag[element] -= 1
                    s.boxes[box][element] += 1

    # Planning

    def planning(self):
        """R-PLA-1."""
        s = self.s
        while s.vacant_spaces() and any(s.pawns.values()):
            for animal in list(s.initiative_track):
                if s.pawns[animal] and s.vacant_spaces():
                    space = yield from self.claim_then_place(animal)
                    s.place_pawn(animal, space)

    def claim_then_place(self, animal):
        """Any number of claims (declared dominance), then the space."""
        s = self.s
        while True:
            options = act.spaces(s.vacant_spaces())
            if s.rules.declared:
                s.drop_cones()
                options |= act.hexes(h for h, t in s.tiles.items() if not t.cone and s.deserving(h) == animal)
            choice = yield from s.choose("place", animal, options)
            if isinstance(choice, str):
                return choice
            s.tiles[choice].cone = animal

    # Execution

    def execution(self):
        yield from self.initiative()
        yield from self.adaptation()
        yield from self.regression()
        yield from self.abundance()
        yield from self.wasteland()
        yield from self.depletion()
        yield from self.glaciation()
        yield from self.speciation()
        yield from self.wanderlust()
        yield from self.migration()
        yield from self.competition()
        yield from self.domination()

    def take_off(self, space):
        """The owner of the pawn that comes off this space, or None (R-EXE-1)."""
        s = self.s
        s.drop_cones()  # the action before is over
        owner = s.spaces.pop(space, None)
        if owner:
            s.pawns[owner] += 1
        return owner

    def initiative(self):
        s = self.s
        owner = self.take_off("initiative")
        if owner:
            vacant = s.vacant_spaces()
            if not s.rules.initiative_restay:  # R-INI-2
                vacant.remove("initiative")
            space = yield from s.choose("initiative", owner, act.PASS | act.spaces(vacant))
            if space:
                s.swap_left(owner)
                s.place_pawn(owner, space)

    def adaptation(self):
        s = self.s
        for space in numbered("adaptation", 3):
            owner = self.take_off(space)
            if owner and s.number_held(owner) < 6:  # R-ADA-2
                element = yield from s.choose("adapt", owner, act.PASS | self.in_box("adaptation"))
                if element:
                    s.boxes["adaptation"][element] -= 1
                    s.held[owner][element] += 1

    def in_box(self, box):
        content = self.s.boxes[box]
        return act.elements(e for e in ELEMENTS if content[e])

    def regression(self):
        s = self.s
        safe = {animal: set() for animal in s.animals}
        for space in numbered("regression", 2):
            owner = self.take_off(space)
            if owner:
                yield from self.protect(owner, safe[owner])
        if s.able("reptile"):
            yield from self.protect("reptile", safe["reptile"])
        s.drop_cones()
        for animal in s.animals:  # R-REG-2
            for element in s.loose(animal):
                if s.boxes["regression"][element] and element not in safe[animal]:
                    s.lose_element(animal, element)
        s.drop_cones()

    def protect(self, animal, safe):
        """R-REG-1."""
        s = self.s
        types = [e for e in s.loose(animal) if s.boxes["regression"][e] and e not in safe]
        element = yield from s.choose("regress", animal, act.PASS | act.elements(types))
        if element:
            safe.add(element)

    def abundance(self):
        s = self.s
        for space in numbered("abundance", 2):
            owner = self.take_off(space)
            if owner and s.vacant_corners():
                element = yield from s.choose("abundance_element", owner, act.PASS | self.in_box("abundance"))
                if element:
                    options = act.corners(s.vacant_corners())
                    corner = yield from s.choose("abundance_corner", owner, options)
                    s.put_element(s.boxes["abundance"], element, corner)

    def wasteland(self):
        s = self.s
        box = s.boxes["wasteland"]
        owner = self.take_off("wasteland")
        if owner:
            element = yield from s.choose("wasteland", owner, act.PASS | self.in_box("wasteland"))
            if element:
                box[element] -= 1
                s.bag[element] += 1
        s.drop_cones()
        waste = {c for h in s.tiles_where(lambda tile: tile.tundra) for c in CORNERS_OF[h]}
        for corner in waste & set(s.corners):  # R-WAS-2
            if box[s.corners[corner]]:
                s.clear_corner(corner)
        s.drop_cones()

    def depletion(self):
        s = self.s
        owner = self.take_off("depletion")
        if owner:
            corners = [c for c, element in s.corners.items() if s.boxes["depletion"][element]]
            corner = yield from s.choose("deplete", owner, act.PASS | act.corners(corners))
            if corner is not None:
                s.clear_corner(corner)

    def glaciation(self):
        s = self.s
        occupied = [space for space in numbered("glaciation", 4) if space in s.spaces]
        if occupied:  # R-GLA-1
            owner = self.take_off(occupied[0])
            yield from cards.glaciate(s, owner, act.PASS)

    def speciation(self):
        s = self.s
        for element in ELEMENTS:
            owner = self.take_off(f"speciation_{element}")
            if owner and s.gene_pool[owner]:
                yield from self.speciate(owner, element)
        if s.able("insect") and s.gene_pool["insect"]:  # R-SPE-2
            hex_ = yield from s.choose("speciate_free", "insect", act.PASS | act.hexes(s.tiles))
            if hex_ is not None:
                s.breed("insect", hex_, 1)

    def speciate(self, owner, element):
        """R-SPE-1."""
        s = self.s
        corners = [c for c in s.corners if s.corners[c] == element]
        corner = yield from s.choose("speciate_corner", owner, act.PASS | act.corners(corners))
        if corner is None:
            return
        for hex_ in s.tiles_touching(corner):
            most = min(s.rules.speciation_limits[s.tiles[hex_].kind], s.gene_pool[owner])
            yield from s.count("speciate_count", owner, most, partial(s.breed, owner, hex_))

    def wanderlust(self):
        s = self.s
        for space in numbered("wanderlust", 3):
            owner = self.take_off(space)
            if owner and s.vacant_hexes():
                stacks = act.stacks(k for k, stack in enumerate(s.stacks) if stack.face_up)
                k = yield from s.choose("wander_stack", owner, act.PASS | stacks)
                if k is not None:
                    yield from self.wander(owner, s.stacks[k])

    def wander(self, owner, stack):
        s = self.s
        new = yield from s.choose("wander_hex", owner, act.hexes(s.vacant_hexes()))
        s.tiles[new] = Tile(stack.face_up)
        stack.face_up = None
        s.score(owner, s.bonus(len(s.neighbors(new))), "wanderlust")  # R-WAN-2
        if s.vacant_corners(new):
            element = yield from s.choose("wander_element", owner, act.PASS | self.in_box("wanderlust"))
            if element:
                corner = yield from s.choose("wander_corner", owner, act.corners(s.vacant_corners(new)))
                s.put_element(s.boxes["wanderlust"], element, corner)
        for animal in s.animals:  # R-WAN-4
            for source in s.neighbors(new):
                most = s.tiles[source].species[animal]
                yield from s.count("wander_move", animal, most, partial(s.move, animal, source, new))

    def migration(self):
        for moves in MIGRATIONS:
            owner = self.take_off(f"migration_{moves}")
            if owner:
                yield from self.migrate(owner, moves)

    def migrate(self, owner, left):
        """Moves in ascending order of source, then of target: each set of moves has one order (P-2)."""
        s = self.s
        unmoved = {h: s.tiles[h].species[owner] for h in s.tiles_of(owner)}
        last = (-1, -1)
        while left:
            targets = {h: [t for t in self.reach(owner, h) if (h, t) > last] for h in unmoved if unmoved[h]}
            sources = [h for h in targets if targets[h]]
            source = yield from s.choose("migrate_from", owner, act.PASS | act.hexes(sources))
            if source is None:
                return
            target = yield from s.choose("migrate_to", owner, act.hexes(targets[source]))
            most = min(unmoved[source], left)
            number = yield from s.choose("migrate_count", owner, act.counts(1, most))
            s.move(owner, source, target, number)
            unmoved[source] -= number
            left -= number
            last = (source, target)

    def reach(self, animal, source):
        """R-MIG-1, R-MIG-2."""
        s = self.s
        near = set(s.neighbors(source))
        if animal == "bird" and s.able("bird"):
            near |= {far for step in near for far in s.neighbors(step)}
        return sorted(near - {source})

    def competition(self):
        s = self.s
        s.drop_cones()
        if s.able("arachnid"):  # R-COM-1
            yield from self.compete("arachnid", s.shared_tiles_of("arachnid"))
        for first, second in COMPETITIONS:
            owner = self.take_off(f"competition_{first}_{second}")
            if owner:
                for kind in (first, second, "tundra"):  # R-COM-2
                    battlefields = [h for h in s.shared_tiles_of(owner) if s.tiles[h].kind == kind]
                    yield from self.compete(owner, battlefields)

    def compete(self, owner, battlefields):
        s = self.s
        hex_ = yield from s.choose("compete_tile", owner, act.PASS | act.hexes(battlefields))
        if hex_ is not None:
            victim = yield from s.choose("compete_victim", owner, act.animals(s.opponents(owner, hex_)))
            s.eliminate(victim, hex_)

    def domination(self):
        s = self.s
        for space in numbered("domination", 5):
            owner = self.take_off(space)
            if owner:
                tiles = s.tiles_where(lambda tile: tile.total and not tile.scored)
                hex_ = yield from s.choose("dominate", owner, act.PASS | act.hexes(tiles))
                if hex_ is not None:
                    yield from self.dominate(hex_)

    def dominate(self, hex_):
        """R-DMN-1, R-DMN-2."""
        s = self.s
        tile = s.tiles[hex_]
        tile.scored = True
        s.score_tile(hex_, "domination")
        deserving = s.deserving(hex_)
        if s.rules.declared and deserving and not tile.cone:
            claimed = yield from s.choose("claim", deserving, act.PASS | act.hexes([hex_]))
            if claimed is not None:
                tile.cone = deserving
        taker = s.dominant(hex_)
        if taker and s.face_up:
            card = yield from s.choose("take_card", taker, act.cards(s.face_up))
            s.face_up.remove(card)
            s.taken.append(card)
            yield from cards.carry_out(s, card, taker, hex_)

    # Reset

    def extinction(self):
        """R-RES-1."""
        s = self.s
        s.drop_cones()
        saved = None
        if s.able("mammal"):
            options = act.hexes(h for h in s.tiles_of("mammal") if self.doomed("mammal", h))
            saved = yield from s.choose("save", "mammal", options)
        for animal in s.animals:
            for hex_ in s.tiles_of(animal):
                survivors = 1 if animal == "mammal" and hex_ == saved else 0
                s.eliminate(animal, hex_, max(self.doomed(animal, hex_) - survivors, 0))
        s.drop_cones()

    def doomed(self, animal, hex_):
        """The number of its endangered species there that do not hibernate."""
        s = self.s
        if s.match(animal, hex_):
            return 0
        return s.tiles[hex_].species[animal] - s.hibernators(animal, hex_)

    def survival(self):
        """R-RES-2."""
        s = self.s
        tundra = s.tiles_where(lambda tile: tile.tundra)
        species = {animal: sum(s.tiles[h].species[animal] for h in tundra) for animal in s.animals}
        most = max(species.values())
        leaders = [animal for animal in s.animals if species[animal] == most]
        if most and len(leaders) == 1:
            occupied = [h for h in tundra if s.tiles[h].species[leaders[0]]]
            s.score(leaders[0], s.bonus(len(occupied)), "survival")

    def is_over(self):
        """R-RES-3, R-END-2, R-END-3."""
        s = self.s
        if "ice_age" in s.taken:
            return True
        if not any(tile.total for tile in s.tiles.values()) and not any(s.gene_pool.values()):
            return True
        s.truncated = s.turn == s.rules.max_turns
        return s.truncated

    def reseed(self):
        """R-RES-4, R-RES-5."""
        s = self.s
        yield from self.refill_cards_and_tiles()
        row = numbered("glaciation", 4)
        owners = [s.spaces.pop(space) for space in row if space in s.spaces]
        s.spaces.update(zip(row, owners, strict=False))
        for box in ("regression", "depletion", "wanderlust"):
            for element in ELEMENTS:
                s.bag[element] += s.boxes[box][element]
        empty = {box: dict.fromkeys(ELEMENTS, 0) for box in BOXES}
        moved = {to: s.boxes[at] for at, to in SHIFTS}
        s.boxes = empty | moved
        yield from self.draw_boxes()
        for tile in s.tiles.values():
            tile.scored = False
        s.hibernating = None
