/* Sets of legal actions: PASS and two ranges, counted, picked and looked up alike. */
#include "ds_legal.h"
#include "test.h"

/* Several rows at once: each as it is alone, and nothing is written beyond the last. */
static void flags_agree(ds_legal_t legal, const unsigned *expected, unsigned n)
{
    ds_legal_t rows[3] = {legal, {.bits = {1, 0}, .base = {DS_TERRAIN, DS_TERRAIN}}, legal};
    for (unsigned count = 0; count <= 3; count++) {
        uint8_t out[3 * DS_ACTIONS + 64];
        memset(out, 7, sizeof out);
        ds_legal_flags_of(rows, count, out);
        for (unsigned row = 0; row < count; row++) {
            const uint8_t *flags = out + row * DS_ACTIONS;
            for (unsigned action = 0, k = 0; action < DS_ACTIONS; action++) {
                bool is_legal = row == 1 ? action == DS_TERRAIN : k < n && expected[k] == action;
                CHECK(flags[action] == is_legal);
                k += is_legal;
            }
        }
        for (unsigned i = count * DS_ACTIONS; i < sizeof out; i++)
            EQUAL(out[i], 7);
    }
}

static void agree(ds_legal_t legal, const unsigned *expected, unsigned n)
{
    unsigned k = 0;
    EQUAL(ds_legal_count(&legal), n);
    for (unsigned i = 0; i < n; i++)
        EQUAL(ds_legal_at(&legal, i), expected[i]);
    for (unsigned action = 0; action < 256; action++) {
        bool is_legal = k < n && expected[k] == action;
        CHECK(ds_legal_has(&legal, action) == is_legal);
        k += is_legal;
    }
    flags_agree(legal, expected, n);
}

static void nothing(void) { agree((ds_legal_t){.bits = {0, 0}, .base = {DS_HEX, DS_HEX}}, NULL, 0); }

static void pass_alone(void)
{
    agree((ds_legal_t){.bits = {0, 0}, .base = {DS_HEX, DS_HEX}, .pass = true}, (unsigned[]){DS_PASS}, 1);
}

static void one_range(void)
{
    agree((ds_legal_t){.bits = {0x15, 0}, .base = {DS_ELEMENT, DS_ELEMENT}},
          (unsigned[]){DS_ELEMENT, DS_ELEMENT + 2, DS_ELEMENT + 4}, 3);
}

static void corners_in_two_ranges(void)
{
    agree((ds_legal_t){.bits = {ds_bit(0) | ds_bit(63), ds_bit(0) | ds_bit(27)},
                       .base = {DS_CORNER, DS_CORNER + 64},
                       .pass = true},
          (unsigned[]){DS_PASS, DS_CORNER, DS_CORNER + 63, DS_CORNER + 64, DS_CORNER + 91}, 5);
}

static void the_second_range_alone(void)
{
    agree((ds_legal_t){.bits = {0, 6}, .base = {DS_ELEMENT, DS_LOSE_PAWN - 1}}, (unsigned[]){DS_LOSE_PAWN, DS_LOSE_SPECIES}, 2);
}

int main(void)
{
    RUN(nothing);
    RUN(pass_alone);
    RUN(one_range);
    RUN(corners_in_two_ranges);
    RUN(the_second_range_alone);
    return test_close("legal");
}
