/* The random stream: xoroshiro128++ (D. Blackman, S. Vigna, "Scrambled linear pseudorandom number
 * generators", 2021), seeded by SplitMix64 from (seed, index, lane). Streams of one seed and lane that
 * differ in the index never start alike: every step of the seeding is a bijection of the index. The two
 * words are never both zero, since the mixer maps zero alone to zero. */
#ifndef DS_RNG_H
#define DS_RNG_H

#include <stdint.h>

typedef struct { uint64_t word[2]; } ds_rng_t;

enum { DS_LANE_CHANCE = 0, DS_LANE_POLICY = 1 }; /* the game's own draws; the players' */

static inline uint64_t ds_rng_mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static inline ds_rng_t ds_rng_stream(uint64_t seed, uint64_t index, uint64_t lane)
{
    const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = ds_rng_mix(ds_rng_mix(ds_rng_mix(seed + step) + lane * step) ^ index);
    return (ds_rng_t){{ds_rng_mix(x + step), ds_rng_mix(x + 2 * step)}};
}

static inline uint64_t ds_rng_rotate(uint64_t x, unsigned k) { return x << k | x >> (64 - k); }

static inline uint64_t ds_rng_next(ds_rng_t *rng)
{
    uint64_t a = rng->word[0], b = rng->word[1];
    uint64_t result = ds_rng_rotate(a + b, 17) + a;
    b ^= a;
    rng->word[0] = ds_rng_rotate(a, 49) ^ b ^ b << 21;
    rng->word[1] = ds_rng_rotate(b, 28);
    return result;
}

/* Uniform on 0..n-1, without bias: multiply and reject (D. Lemire, "Fast random integer generation in an
 * interval", 2019). n is at least 1. */
static inline uint32_t ds_rng_below(ds_rng_t *rng, uint32_t n)
{
    uint64_t product = (ds_rng_next(rng) >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t least = (0u - n) % n;
        while ((uint32_t)product < least)
            product = (ds_rng_next(rng) >> 32) * n;
    }
    return (uint32_t)(product >> 32);
}

#endif
