/* The whole of the test framework: a test is a function that checks, a suite a main that runs tests. */
#ifndef DS_TEST_H
#define DS_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int test_passed, test_failed, test_faults; /* faults: failed checks of the test at hand */

#define CHECK(condition) test_check((condition), #condition, __FILE__, __LINE__)
#define EQUAL(actual, expected) test_equal((int64_t)(actual), (int64_t)(expected), #actual, __FILE__, __LINE__)
#define RUN(test) test_run(#test, test)

static inline void test_check(bool holds, const char *what, const char *file, int line)
{
    if (holds)
        return;
    test_faults++;
    printf("%s:%d: not so: %s\n", file, line, what);
}

static inline void test_equal(int64_t actual, int64_t expected, const char *what, const char *file, int line)
{
    if (actual == expected)
        return;
    test_faults++;
    printf("%s:%d: %s is %lld, expected %lld\n", file, line, what, (long long)actual, (long long)expected);
}

static inline void test_run(const char *name, void (*test)(void))
{
    test_faults = 0;
    test();
    if (test_faults > 0)
        printf("FAILED %s\n", name);
    *(test_faults > 0 ? &test_failed : &test_passed) += 1;
}

/* The closing line, and what main returns. */
static inline int test_close(const char *suite)
{
    printf("%s: %d passed, %d failed\n", suite, test_passed, test_failed);
    return test_failed > 0;
}

#endif
