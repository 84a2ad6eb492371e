/* Sets of hexes and corners as bit words, and small counters packed in the bytes of a word. */
#ifndef DS_BITS_H
#define DS_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "ds-sim packs counters into words and needs a little-endian machine"
#endif

typedef uint64_t ds_hexes_t;                       /* set of hexes, bit h for hex h */
typedef struct { uint64_t word[2]; } ds_corners_t; /* set of corners, bit c % 64 of word c / 64 */
typedef uint64_t ds_lanes_t;                       /* eight counters, byte i for animal or type i */

#define DS_LANES_ONE UINT64_C(0x0101010101010101)
#define DS_LANES_TOP UINT64_C(0x8080808080808080)

static inline uint64_t ds_bit(unsigned i) { return UINT64_C(1) << i; }
static inline bool ds_has(uint64_t set, unsigned i) { return set >> i & 1; }
static inline uint64_t ds_without_first(uint64_t set) { return set & (set - 1); }
static inline uint64_t ds_at_least(unsigned i) { return ~UINT64_C(0) << i; } /* i < 64 */

#define DS_FOR_EACH(i, set)                                                                         \
    for (uint64_t i##_left = (set), i = 0; i##_left && (i = (uint64_t)ds_first(i##_left), true);    \
         i##_left = ds_without_first(i##_left))

static inline unsigned ds_first(uint64_t set) /* set not empty */
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(set);
#else
    unsigned i = 0;
    while (!(set >> i & 1))
        i++;
    return i;
#endif
}

/* Faster instructions are used where the processor at hand has them; the test is one predicted branch. */
#if defined(__GNUC__) && defined(__x86_64__)
#define DS_X86_PATHS 1
/* Before Zen 3, AMD runs PDEP as slow microcode. */
static inline bool ds_has_fast_pdep(void)
{
    return __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("amdfam17h");
}
#endif

static inline uint64_t ds_byte_counts(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    return (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
}

static inline unsigned ds_count_portable(uint64_t set)
{
    return (unsigned)(ds_byte_counts(set) * DS_LANES_ONE >> 56);
}

static inline unsigned ds_count(uint64_t set)
{
#if defined(DS_X86_PATHS)
    if (__builtin_cpu_supports("popcnt")) {
        uint64_t n;
        __asm__("popcntq %1, %0" : "=r"(n) : "r"(set) : "cc");
        return (unsigned)n;
    }
    return ds_count_portable(set);
#elif defined(__GNUC__)
    return (unsigned)__builtin_popcountll(set);
#else
    return ds_count_portable(set);
#endif
}

/* The k-th element (from 0) of a set with more than k: broadword selection, S. Vigna, "Broadword
 * implementation of rank/select queries", 2008. First the byte, then the bit in it. */
static inline unsigned ds_select_portable(uint64_t set, unsigned k)
{
    uint64_t upto = ds_byte_counts(set) * DS_LANES_ONE; /* byte i: elements in bytes 0..i */
    uint64_t passed = ((k * DS_LANES_ONE | DS_LANES_TOP) - upto) & DS_LANES_TOP;
    unsigned shift = (unsigned)((passed >> 7) * DS_LANES_ONE >> 53) & 0x78;
    uint64_t rank = k - ((upto << 8) >> shift & 0xff);
    uint64_t spread = (set >> shift & 0xff) * DS_LANES_ONE & UINT64_C(0x8040201008040201);
    spread = (((spread | DS_LANES_TOP) - DS_LANES_ONE) | spread) & DS_LANES_TOP; /* nonzero bytes */
    upto = (spread >> 7) * DS_LANES_ONE;
    passed = ((rank * DS_LANES_ONE | DS_LANES_TOP) - upto) & DS_LANES_TOP;
    return shift + (unsigned)((passed >> 7) * DS_LANES_ONE >> 56);
}

static inline unsigned ds_select(uint64_t set, unsigned k)
{
#if defined(DS_X86_PATHS)
    if (ds_has_fast_pdep()) {
        uint64_t bit;
        __asm__("pdepq %2, %1, %0" : "=r"(bit) : "r"(ds_bit(k)), "r"(set));
        return ds_first(bit);
    }
#endif
    return ds_select_portable(set, k);
}

/* ---- corner sets ---- */

static inline bool ds_corners_has(ds_corners_t a, unsigned c) { return ds_has(a.word[c >> 6], c & 63); }
static inline void ds_corners_add(ds_corners_t *a, unsigned c) { a->word[c >> 6] |= ds_bit(c & 63); }
static inline void ds_corners_remove(ds_corners_t *a, unsigned c) { a->word[c >> 6] &= ~ds_bit(c & 63); }
static inline bool ds_corners_any(ds_corners_t a) { return (a.word[0] | a.word[1]) != 0; }
static inline unsigned ds_corners_count(ds_corners_t a) { return ds_count(a.word[0]) + ds_count(a.word[1]); }

static inline ds_corners_t ds_corners_or(ds_corners_t a, ds_corners_t b)
{
    return (ds_corners_t){{a.word[0] | b.word[0], a.word[1] | b.word[1]}};
}

static inline ds_corners_t ds_corners_and(ds_corners_t a, ds_corners_t b)
{
    return (ds_corners_t){{a.word[0] & b.word[0], a.word[1] & b.word[1]}};
}

static inline ds_corners_t ds_corners_minus(ds_corners_t a, ds_corners_t b)
{
    return (ds_corners_t){{a.word[0] & ~b.word[0], a.word[1] & ~b.word[1]}};
}

#define DS_FOR_EACH_CORNER(c, set)                                                                  \
    for (unsigned c##_word = 0; c##_word < 2; c##_word++)                                           \
        for (uint64_t c##_left = (set).word[c##_word], c = 0;                                       \
             c##_left && (c = c##_word * 64 + ds_first(c##_left), true);                            \
             c##_left = ds_without_first(c##_left))

/* ---- counters in the bytes of a word ---- */

static inline ds_lanes_t ds_lanes(const uint8_t counters[8])
{
    ds_lanes_t word;
    memcpy(&word, counters, sizeof word);
    return word;
}

/* Bit i of the result: lane i is not zero. */
static inline unsigned ds_lanes_nonzero(ds_lanes_t lanes)
{
    uint64_t low = ~DS_LANES_TOP;
    uint64_t top = (((lanes & low) + low) | lanes) & DS_LANES_TOP;
    return (unsigned)((top >> 7) * UINT64_C(0x0102040810204080) >> 56);
}

/* Sum of all lanes; lanes may be as large as 255. */
static inline unsigned ds_lanes_sum(ds_lanes_t lanes)
{
    uint64_t pairs = UINT64_C(0x00ff00ff00ff00ff);
    return (unsigned)(((lanes & pairs) + (lanes >> 8 & pairs)) * UINT64_C(0x0001000100010001) >> 48);
}

/* The lane in which the k-th of all counted things (from 0) lies; the sum is at most 127 and above k. */
static inline unsigned ds_lanes_pick(ds_lanes_t lanes, unsigned k)
{
    uint64_t upto = lanes * DS_LANES_ONE;
    uint64_t passed = ((k * DS_LANES_ONE | DS_LANES_TOP) - upto) & DS_LANES_TOP;
    return (unsigned)((passed >> 7) * DS_LANES_ONE >> 56);
}

#endif
