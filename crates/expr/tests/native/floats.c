// Reads pairs of 64-bit patterns in hexadecimal and prints, for each pair, what the compiled operations make of them.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static float f32(uint64_t bits) { uint32_t b = (uint32_t)bits; float f; memcpy(&f, &b, 4); return f; }
static double f64(uint64_t bits) { double f; memcpy(&f, &bits, 8); return f; }
static void put(uint64_t value) { printf(" %llx", (unsigned long long)value); }
static void put32(float f) { uint32_t b; memcpy(&b, &f, 4); put(b); }
static void put64(double f) { uint64_t b; memcpy(&b, &f, 8); put(b); }

int main(void) {
    unsigned long long x, y;
    while (scanf("%llx %llx", &x, &y) == 2) {
        float a = f32(x), b = f32(y);
        double c = f64(x), d = f64(y);
        put((uint8_t)(int8_t)a); put((uint16_t)(int16_t)a); put((uint32_t)(int32_t)a); put((uint64_t)(int64_t)a);
        put((uint8_t)a); put((uint16_t)a); put((uint32_t)a); put((uint64_t)a);
        put((uint8_t)(int8_t)c); put((uint16_t)(int16_t)c); put((uint32_t)(int32_t)c); put((uint64_t)(int64_t)c);
        put((uint8_t)c); put((uint16_t)c); put((uint32_t)c); put((uint64_t)c);
        put32(a + b); put32(a - b); put32(a * b); put32(a / b);
        put64(c + d); put64(c - d); put64(c * d); put64(c / d);
        put64((double)a); put32((float)c);
        put32((float)(int64_t)x); put64((double)(int64_t)x); put32((float)(uint64_t)x); put64((double)(uint64_t)x);
        put(a < b); put(a <= b); put(a == b); put(a != b); put(c < d); put(c <= d); put(c == d); put(c != d);
        put32(__builtin_sqrtf(a)); put64(__builtin_sqrt(c));
        put32(-a); put64(-c);
        putchar('\n');
    }
    return 0;
}
