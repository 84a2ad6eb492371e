/* Sets and lanes against loops that anybody can read. */
#include "ds_bits.h"
#include "ds_rng.h"
#include "test.h"

enum { SAMPLES = 20000 };

/* Words of all densities: a random one thinned or filled by others. */
static uint64_t word(ds_rng_t *rng, unsigned i)
{
    uint64_t a = ds_rng_next(rng), b = ds_rng_next(rng), c = ds_rng_next(rng);
    return i % 5 == 0 ? a : i % 5 == 1 ? a & b : i % 5 == 2 ? a & b & c : i % 5 == 3 ? a | b : a | b | c;
}

static unsigned naive_count(uint64_t set)
{
    unsigned n = 0;
    for (unsigned i = 0; i < 64; i++)
        n += (unsigned)(set >> i & 1);
    return n;
}

static unsigned naive_select(uint64_t set, unsigned k)
{
    for (unsigned i = 0; i < 64; i++)
        if ((set >> i & 1) && k-- == 0)
            return i;
    return 64;
}

static void counts_as_a_loop_does(void)
{
    ds_rng_t rng = ds_rng_stream(1, 0, 0);
    EQUAL(ds_count(0), 0);
    EQUAL(ds_count(~UINT64_C(0)), 64);
    EQUAL(ds_count_portable(~UINT64_C(0)), 64);
    for (unsigned i = 0; i < SAMPLES; i++) {
        uint64_t set = word(&rng, i);
        EQUAL(ds_count(set), naive_count(set));
        EQUAL(ds_count_portable(set), naive_count(set));
    }
}

static void selects_as_a_loop_does(void)
{
    ds_rng_t rng = ds_rng_stream(2, 0, 0);
    for (unsigned i = 0; i < SAMPLES; i++) {
        uint64_t set = i == 0 ? ~UINT64_C(0) : word(&rng, i);
        unsigned n = naive_count(set);
        for (unsigned k = 0; k < n; k += i < 100 ? 1 : 7) {
            EQUAL(ds_select(set, k), naive_select(set, k));
            EQUAL(ds_select_portable(set, k), naive_select(set, k));
        }
    }
}

static void single_bits_are_found(void)
{
    for (unsigned i = 0; i < 64; i++) {
        EQUAL(ds_first(ds_bit(i)), i);
        EQUAL(ds_first(ds_at_least(i)), i);
        EQUAL(ds_count(ds_at_least(i)), 64 - i);
        EQUAL(ds_select(ds_bit(i), 0), i);
        EQUAL(ds_select_portable(ds_bit(i), 0), i);
        CHECK(ds_has(ds_bit(i), i) && !ds_has(~ds_bit(i), i));
        CHECK(ds_without_first(ds_bit(i)) == 0);
    }
}

static void a_set_is_walked_in_ascending_order(void)
{
    uint64_t set = ds_bit(0) | ds_bit(17) | ds_bit(34) | ds_bit(63), seen = 0;
    unsigned last = 0;
    DS_FOR_EACH(i, set) {
        CHECK(seen == 0 || i > last);
        last = (unsigned)i;
        seen |= ds_bit((unsigned)i);
    }
    CHECK(seen == set);
    DS_FOR_EACH(i, 0)
        CHECK(i != i); /* never here */
}

static void corner_sets_span_two_words(void)
{
    static const unsigned CORNERS[] = {0, 63, 64, 91};
    ds_corners_t set = {{0, 0}}, one = {{0, 0}};
    unsigned n = 0;
    CHECK(!ds_corners_any(set));
    for (unsigned i = 0; i < 4; i++)
        ds_corners_add(&set, CORNERS[i]);
    ds_corners_add(&one, 64);
    EQUAL(ds_corners_count(set), 4);
    CHECK(ds_corners_has(set, 91) && !ds_corners_has(set, 90) && !ds_corners_has(set, 62));
    EQUAL(ds_corners_count(ds_corners_and(set, one)), 1);
    EQUAL(ds_corners_count(ds_corners_minus(set, one)), 3);
    EQUAL(ds_corners_count(ds_corners_or(ds_corners_minus(set, one), one)), 4);
    DS_FOR_EACH_CORNER(c, set)
        EQUAL(c, CORNERS[n++]);
    EQUAL(n, 4);
    ds_corners_remove(&set, 91);
    CHECK(!ds_corners_has(set, 91) && ds_corners_count(set) == 3);
}

static void lanes_are_counters(void)
{
    ds_rng_t rng = ds_rng_stream(3, 0, 0);
    for (unsigned i = 0; i < SAMPLES; i++) {
        uint8_t counters[8];
        unsigned sum = 0, nonzero = 0;
        for (unsigned lane = 0; lane < 8; lane++) {
            counters[lane] = (uint8_t)(ds_rng_below(&rng, 3) == 0 ? 0 : ds_rng_below(&rng, 256));
            sum += counters[lane];
            nonzero |= (unsigned)(counters[lane] > 0) << lane;
        }
        EQUAL(ds_lanes_sum(ds_lanes(counters)), sum);
        EQUAL(ds_lanes_nonzero(ds_lanes(counters)), nonzero);
    }
}

static void every_counted_thing_is_picked_in_its_lane(void)
{
    static const uint8_t COUNTERS[][8] = {{3, 0, 1, 0, 0, 2, 0, 0}, {0, 0, 0, 0, 0, 0, 1, 0}, {18, 18, 18, 18, 18, 18, 0, 0},
                                          {127, 0, 0, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1, 1, 120}};
    for (unsigned i = 0; i < sizeof COUNTERS / sizeof *COUNTERS; i++) {
        unsigned k = 0;
        for (unsigned lane = 0; lane < 8; lane++)
            for (unsigned n = 0; n < COUNTERS[i][lane]; n++)
                EQUAL(ds_lanes_pick(ds_lanes(COUNTERS[i]), k++), lane);
    }
}

int main(void)
{
    RUN(counts_as_a_loop_does);
    RUN(selects_as_a_loop_does);
    RUN(single_bits_are_found);
    RUN(a_set_is_walked_in_ascending_order);
    RUN(corner_sets_span_two_words);
    RUN(lanes_are_counters);
    RUN(every_counted_thing_is_picked_in_its_lane);
    return test_close("bits");
}
