/* For the programs of this folder: where they get input from, what is to be reached, and CASE(0), CASE(1), ... N times. */
int __VERIFIER_nondet_int(void);
double __VERIFIER_nondet_double(void);

void target(void);
void target2(void);
void target3(void);
void target(void) {}
void target2(void) {}
void target3(void) {}

#define CASES_10(i) \
  CASE(i) CASE(i + 1) CASE(i + 2) CASE(i + 3) CASE(i + 4) CASE(i + 5) CASE(i + 6) CASE(i + 7) CASE(i + 8) CASE(i + 9)
#define CASES_100(i) \
  CASES_10(i) CASES_10(i + 10) CASES_10(i + 20) CASES_10(i + 30) CASES_10(i + 40) CASES_10(i + 50) CASES_10(i + 60) \
  CASES_10(i + 70) CASES_10(i + 80) CASES_10(i + 90)
#define CASES_1000(i) \
  CASES_100(i) CASES_100(i + 100) CASES_100(i + 200) CASES_100(i + 300) CASES_100(i + 400) CASES_100(i + 500) \
  CASES_100(i + 600) CASES_100(i + 700) CASES_100(i + 800) CASES_100(i + 900)
#define CASES_OF(n) CASES_##n(0)
#define CASES(n) CASES_OF(n)
#define REPEAT CASES(N)
