/* The tables of the board: counts known from the printed map, and every relation seen from both sides. */
#include "fixture.h"

static void neighbors_are_mutual(void)
{
    unsigned edges = 0;
    for (unsigned h = 0; h < DS_HEXES; h++) {
        unsigned n = ds_count(DS_HEX_NEIGHBORS[h]);
        CHECK(n >= 3 && n <= 6);
        CHECK(!ds_has(DS_HEX_NEIGHBORS[h], h));
        DS_FOR_EACH(other, DS_HEX_NEIGHBORS[h])
            CHECK(other < DS_HEXES && ds_has(DS_HEX_NEIGHBORS[other], h));
        edges += n;
    }
    EQUAL(edges, 2 * 84); /* Euler: 92 corners and 35 hexes have 126 sides, 6 x 35 - 126 = 84 of them shared */
}

static void adjacent_hexes_share_two_corners_and_others_at_most_none(void)
{
    for (unsigned a = 0; a < DS_HEXES; a++)
        for (unsigned b = 0; b < DS_HEXES; b++)
            if (a != b)
                EQUAL(ds_corners_count(ds_corners_and(DS_HEX_CORNERS[a], DS_HEX_CORNERS[b])),
                      ds_has(DS_HEX_NEIGHBORS[a], b) ? 2 : 0);
}

static void hexes_and_corners_know_each_other(void)
{
    unsigned touching = 0;
    for (unsigned h = 0; h < DS_HEXES; h++) {
        EQUAL(ds_corners_count(DS_HEX_CORNERS[h]), 6);
        DS_FOR_EACH_CORNER(c, DS_HEX_CORNERS[h])
            CHECK(c < DS_CORNERS && ds_has(DS_CORNER_HEXES[c], h));
    }
    for (unsigned c = 0; c < DS_CORNERS; c++) {
        unsigned n = ds_count(DS_CORNER_HEXES[c]);
        CHECK(n >= 1 && n <= 3);
        touching += n;
    }
    EQUAL(touching, 6 * DS_HEXES);
}

static void lists_say_the_same_as_sets(void)
{
    for (unsigned h = 0; h < DS_HEXES; h++)
        for (unsigned i = 0; i < 6; i++) {
            CHECK(ds_corners_has(DS_HEX_CORNERS[h], DS_HEX_CORNER_LIST[h][i]));
            CHECK(i == 0 || DS_HEX_CORNER_LIST[h][i] > DS_HEX_CORNER_LIST[h][i - 1]);
        }
    for (unsigned c = 0; c < DS_CORNERS; c++)
        for (unsigned i = 0; i < 3; i++) {
            unsigned hex = DS_CORNER_HEX_LIST[c][i];
            CHECK(i < ds_count(DS_CORNER_HEXES[c]) ? ds_has(DS_CORNER_HEXES[c], hex) : hex == DS_NONE);
        }
}

/* The board looks the same turned by half a turn: hex h becomes 34 - h. */
static void the_board_is_symmetric(void)
{
    for (unsigned h = 0; h < DS_HEXES; h++) {
        uint64_t turned = 0;
        DS_FOR_EACH(other, DS_HEX_NEIGHBORS[h])
            turned |= ds_bit(DS_HEXES - 1 - (unsigned)other);
        CHECK(turned == DS_HEX_NEIGHBORS[DS_HEXES - 1 - h]);
    }
}

static void the_start_is_the_printed_one(void) /* R-SET-4 */
{
    unsigned terrains = 0, elements[DS_ELEMENTS] = {0};
    uint64_t earth = 0;
    for (unsigned h = 0; h < DS_HEXES; h++)
        if (DS_SETUP_TERRAIN[h] != DS_NONE) {
            terrains |= 1u << DS_SETUP_TERRAIN[h];
            earth |= ds_bit(h);
        }
    EQUAL(terrains, 0x7f); /* one tile of each terrain */
    CHECK(earth == (DS_HEX_NEIGHBORS[D3] | ds_bit(D3)));
    EQUAL(DS_SETUP_TERRAIN[D3], DS_SEA);
    CHECK(DS_SETUP_TUNDRA == ds_bit(D3));
    for (unsigned c = 0; c < DS_CORNERS; c++)
        if (DS_SETUP_ELEMENT[c] != DS_NONE) {
            elements[DS_SETUP_ELEMENT[c]]++;
            CHECK((DS_CORNER_HEXES[c] & earth) != 0);
        }
    for (unsigned e = 0; e < DS_ELEMENTS; e++)
        EQUAL(elements[e], 2);
    for (unsigned a = 0; a < DS_ANIMALS; a++) {
        unsigned with[3] = {0};
        for (unsigned h = 0; h < DS_HEXES; h++)
            with[DS_SETUP_SPECIES[h][a]]++;
        CHECK(with[1] == 2 && with[2] == 1);
    }
}

int main(void)
{
    RUN(neighbors_are_mutual);
    RUN(adjacent_hexes_share_two_corners_and_others_at_most_none);
    RUN(hexes_and_corners_know_each_other);
    RUN(lists_say_the_same_as_sets);
    RUN(the_board_is_symmetric);
    RUN(the_start_is_the_printed_one);
    return test_close("board");
}
