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

#endif
