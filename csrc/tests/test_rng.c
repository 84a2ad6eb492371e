/* The random stream: the published generators, streams apart, bounded draws without bias. */
#include "ds_rng.h"
#include "test.h"

/* The first output of SplitMix64 seeded with 0, and with 1234567, as its authors publish them: the mixer of one step. */
static void the_mixer_is_splitmix64(void)
{
    const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
    CHECK(ds_rng_mix(step) == UINT64_C(0xe220a8397b1dcdaf));
    CHECK(ds_rng_mix(1234567 + step) == UINT64_C(6457827717110365317));
    CHECK(ds_rng_mix(1234567 + 2 * step) == UINT64_C(3203168211198807973));
    CHECK(ds_rng_mix(0) == 0);
}

/* From state (1, 2), by hand: rotl(1 + 2, 17) + 1; then the state becomes (rotl(1, 49) ^ 3 ^ 3 << 21, rotl(3, 28)). */
static void a_step_is_that_of_xoroshiro128plusplus(void)
{
    ds_rng_t rng = {{1, 2}};
    CHECK(ds_rng_next(&rng) == (UINT64_C(3) << 17) + 1);
    CHECK(rng.word[0] == ((UINT64_C(1) << 49) ^ 3 ^ UINT64_C(3) << 21));
    CHECK(rng.word[1] == UINT64_C(3) << 28);
}

static void equal_seeds_give_equal_streams(void)
{
    ds_rng_t a = ds_rng_stream(7, 3, 1), b = ds_rng_stream(7, 3, 1);
    for (unsigned i = 0; i < 100; i++)
        CHECK(ds_rng_next(&a) == ds_rng_next(&b));
}

static bool differ(ds_rng_t a, ds_rng_t b) { return ds_rng_next(&a) != ds_rng_next(&b); }

static void streams_differ_in_seed_index_and_lane(void)
{
    for (uint64_t i = 0; i < 1000; i++) {
        CHECK(differ(ds_rng_stream(i, 0, 0), ds_rng_stream(i + 1, 0, 0)));
        CHECK(differ(ds_rng_stream(0, i, 0), ds_rng_stream(0, i + 1, 0)));
        CHECK(differ(ds_rng_stream(i, 5, DS_LANE_CHANCE), ds_rng_stream(i, 5, DS_LANE_POLICY)));
        CHECK(differ(ds_rng_stream(i, i + 1, 0), ds_rng_stream(i + 1, i, 0)));
        ds_rng_t rng = ds_rng_stream(i, i, 0);
        CHECK((rng.word[0] | rng.word[1]) != 0);
    }
}

static void every_bit_of_the_output_is_as_often_one_as_zero(void)
{
    enum { DRAWS = 40000, FOUR_SIGMA = 400 };
    unsigned ones[64] = {0};
    ds_rng_t rng = ds_rng_stream(11, 0, 0);
    for (unsigned i = 0; i < DRAWS; i++) {
        uint64_t x = ds_rng_next(&rng);
        for (unsigned bit = 0; bit < 64; bit++)
            ones[bit] += (unsigned)(x >> bit & 1);
    }
    for (unsigned bit = 0; bit < 64; bit++)
        CHECK(ones[bit] > DRAWS / 2 - FOUR_SIGMA && ones[bit] < DRAWS / 2 + FOUR_SIGMA);
}

/* Pearson's statistic of n equally likely outcomes stays below its mean n - 1 plus five standard deviations. */
static void bounded_draws_are_in_range_and_unbiased(void)
{
    enum { MOST = 41, PER_OUTCOME = 2000 };
    for (uint32_t n = 1; n <= MOST; n++) {
        unsigned seen[MOST] = {0};
        double statistic = 0, excess;
        ds_rng_t rng = ds_rng_stream(13, n, 0);
        for (unsigned i = 0; i < n * PER_OUTCOME; i++) {
            uint32_t drawn = ds_rng_below(&rng, n);
            CHECK(drawn < n);
            seen[drawn < n ? drawn : 0]++;
        }
        for (unsigned i = 0; i < n; i++)
            statistic += ((double)seen[i] - PER_OUTCOME) * ((double)seen[i] - PER_OUTCOME) / PER_OUTCOME;
        excess = statistic - (n - 1);
        CHECK(excess <= 0 || excess * excess <= 25 * 2 * (n - 1));
    }
}

/* With n = 3 * 2^30 a multiplication alone would give a third of the outcomes twice the weight. */
static void large_bounds_are_unbiased(void)
{
    enum { DRAWS = 30000, FIVE_SIGMA = 410 };
    const uint32_t part = UINT32_C(1) << 30;
    unsigned seen[3] = {0}, residues[3] = {0};
    ds_rng_t rng = ds_rng_stream(17, 0, 0);
    for (unsigned i = 0; i < DRAWS; i++) {
        uint32_t drawn = ds_rng_below(&rng, 3 * part);
        seen[drawn / part]++;
        residues[drawn % 3]++;
    }
    for (unsigned i = 0; i < 3; i++) {
        CHECK(seen[i] > DRAWS / 3 - FIVE_SIGMA && seen[i] < DRAWS / 3 + FIVE_SIGMA);
        CHECK(residues[i] > DRAWS / 3 - FIVE_SIGMA && residues[i] < DRAWS / 3 + FIVE_SIGMA);
    }
}

int main(void)
{
    RUN(the_mixer_is_splitmix64);
    RUN(a_step_is_that_of_xoroshiro128plusplus);
    RUN(equal_seeds_give_equal_streams);
    RUN(streams_differ_in_seed_index_and_lane);
    RUN(every_bit_of_the_output_is_as_often_one_as_zero);
    RUN(bounded_draws_are_in_range_and_unbiased);
    RUN(large_bounds_are_unbiased);
    return test_close("rng");
}
