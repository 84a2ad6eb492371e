/* The legal actions of a node: PASS, and one or two ranges of ids as bit sets. */
#ifndef DS_LEGAL_H
#define DS_LEGAL_H

#include "ds_state.h"

typedef struct {
    uint64_t bits[2]; /* bit i: the action base + i is legal; every id of the second range lies above the first's */
    uint8_t base[2];
    bool pass;
} ds_legal_t;

static inline unsigned ds_legal_count(const ds_legal_t *legal)
{
    return legal->pass + ds_count(legal->bits[0]) + (legal->bits[1] ? ds_count(legal->bits[1]) : 0);
}

/* The k-th legal action from 0, in ascending order; k below the count. */
static inline unsigned ds_legal_at(const ds_legal_t *legal, unsigned k)
{
    if (k < legal->pass)
        return DS_PASS;
    k -= legal->pass;
    if (!legal->bits[1])
        return legal->base[0] + ds_select(legal->bits[0], k);
    unsigned first = ds_count(legal->bits[0]);
    return k < first ? legal->base[0] + ds_select(legal->bits[0], k)
                     : legal->base[1] + ds_select(legal->bits[1], k - first);
}

static inline bool ds_legal_has(const ds_legal_t *legal, unsigned action)
{
    for (unsigned i = 0; i < 2; i++)
        if (action - legal->base[i] < 64u && ds_has(legal->bits[i], action - legal->base[i]))
            return true;
    return action == DS_PASS && legal->pass;
}

/* Writes base + i for every bit i of the set, ascending; up to 7 bytes beyond them are overwritten. Returns how many. */
static inline unsigned ds_list_bits(uint64_t bits, unsigned base, uint8_t *out)
{
    unsigned n = 0;
    for (; bits; bits >>= 8, base += 8) {
        uint64_t ids = DS_BYTE_BITS[bits & 0xff] + base * DS_LANES_ONE;
        memcpy(out + n, &ids, sizeof ids);
        n += ds_count(bits & 0xff);
    }
    return n;
}

/* Eight bytes of 0 or 1 for the bits of a byte. */
static inline uint64_t ds_byte_flags(uint64_t byte)
{
    uint64_t spread = byte * DS_LANES_ONE & UINT64_C(0x8040201008040201);
    return ((spread + ~DS_LANES_TOP) | spread) >> 7 & DS_LANES_ONE;
}

/* Writes a byte of 0 or 1 for each of the 235 actions. */
static inline void ds_legal_flags(const ds_legal_t *legal, uint8_t out[DS_ACTIONS])
{
    memset(out, 0, DS_ACTIONS);
    out[DS_PASS] = legal->pass;
    for (unsigned range = 0; range < 2; range++) {
        unsigned id = legal->base[range];
        for (uint64_t bits = legal->bits[range]; bits; bits >>= 8, id += 8) {
            uint64_t flags = ds_byte_flags(bits & 0xff);
            memcpy(out + id, &flags, id + 8 <= DS_ACTIONS ? 8 : DS_ACTIONS - id);
        }
    }
}

/* The same for n of them, row after row. A row is written a whole range at a time, beyond its end, which the next row
 * mends; so the last one is written with care. */
static inline void ds_legal_flags_of(const ds_legal_t *legal, size_t n, uint8_t *out)
{
    for (; n > 1; n--, legal++, out += DS_ACTIONS) {
        memset(out, 0, DS_ACTIONS);
        for (unsigned range = 0; range < 1u + (legal->bits[1] != 0); range++) {
            for (unsigned byte = 0; byte < 8; byte++) {
                uint64_t flags = ds_byte_flags(legal->bits[range] >> 8 * byte & 0xff);
                memcpy(out + legal->base[range] + 8 * byte, &flags, sizeof flags);
            }
        }
        out[DS_PASS] = legal->pass;
    }
    if (n > 0)
        ds_legal_flags(legal, out);
}

enum { DS_LEGAL_ROOM = DS_ACTIONS + 8 };

/* The legal actions, ascending, into an array of DS_LEGAL_ROOM; returns their number. */
static inline unsigned ds_legal_list(const ds_legal_t *legal, uint8_t *out)
{
    out[0] = DS_PASS;
    unsigned n = legal->pass;
    n += ds_list_bits(legal->bits[0], legal->base[0], out + n);
    return n + ds_list_bits(legal->bits[1], legal->base[1], out + n);
}

#endif
