// Types that are less common: vectors, complex numbers, atomic ones, unions, bit-fields, members without a name.
//! unit: increase 2/2
//! unit: first_float 2/2
//! unit: rotate 6/6
//! unit: is_far 4/4
//! unit: is_large 4/4 --array-len 2
//! unit: set_number 4/4 --array-len 2
//! unit: inner 6/6 --array-len 2
//! unit: permissions 6/6
//! unit: grant 4/4 --array-len 2
//! unit: option 8/8 --array-len 2 --str-len 3
//! unit: first_letter 6/6 --array-len 2 --str-len 3
//! unit: starts_with_q 4/4
//! unit: deep 6/6 --array-len 1
//! unit: has_handler 3/4 --array-len 2
//! unit: handler 2/2
//! unit: any_callback 3/4 --array-len 2
//! unit: is_given 2/2
//! unit: color_name 4/4
//! unit: either 2/2
//! unit: huge 2/2
//! unit: point_of 2/2
//! unit: box_of 2/2
//! unit: same_corner 4/4
//! unit: volume 4/4
//! unit: left_of 4/4
//! unit: letter_of 2/2
//! unit: has_samples 4/4 --array-len 2
//! unit: weight_class 4/4
//! unit: wide_letter 4/4
//! unit: touch 0/0
//! unit: answer 0/0
//! unit: helper 2/2
//! unit: sum_to 4/4 --array-len 2
#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <wchar.h>

typedef int four_ints __attribute__((vector_size(16)));
typedef float two_floats __attribute__((vector_size(8)));

four_ints increase(four_ints numbers) {
  if (numbers[0] > 3)
    numbers[1] = 7;
  return numbers;
}

float first_float(two_floats numbers) {
  if (numbers[0] > 3)
    return numbers[1];
  return 0;
}

// The product of complex numbers has branches of its own, for what is not a number.
float complex rotate(float complex number) {
  if (crealf(number) > 3)
    return number * I;
  return number;
}

int is_far(double complex number) {
  if (creal(number) > 3 && cimag(number) < -3)
    return 1;
  return 0;
}

int is_large(_Atomic int *number) {
  if (number != NULL && *number > 4)
    return 1;
  return 0;
}

union number {
  int whole;
  float real;
  char letters[4];
};

int set_number(union number *number) {
  if (number != NULL && number->letters[0] == 'x') {
    number->whole = 3;
    return 1;
  }
  return 0;
}

typedef struct {
  int first;
  struct {
    int second;
    union {
      int third;
      char letter;
    };
  };
} nested;

int inner(nested *value) {
  if (value != NULL && value->second == 3 && value->third == 4)
    return value->first;
  return 0;
}

struct rights {
  unsigned read : 3;
  int write : 5;
  unsigned : 2;
  unsigned long owner : 40;
  _Bool locked : 1;
};

int permissions(struct rights rights) {
  if (rights.read == 5 && rights.write == -3)
    return 1;
  if (rights.owner == 123456789012)
    return 2;
  return rights.locked;
}

int grant(struct rights *rights) {
  if (rights == NULL)
    return -1;
  rights->read++;
  if (rights->write < 0)
    rights->owner = 9;
  return rights->read;
}

// Like `main`: pointers to text, with a null pointer at the end.
int option(int count, char **words) {
  if (count > 1 && words != NULL && words[1] != NULL && strcmp(words[1], "-v") == 0)
    return 1;
  return 0;
}

int first_letter(const char *const *words) {
  if (words != NULL && words[0] != NULL && words[0][0] == 'a')
    return 1;
  return 0;
}

int starts_with_q(const void *bytes) {
  if (bytes != NULL && *(const char *)bytes == 'q')
    return 1;
  return 0;
}

// As deep as pointers are followed.
int deep(int ***number) {
  if (number != NULL && *number != NULL && **number != NULL)
    return ***number > 3;
  return 0;
}

struct action {
  int (*handler)(int);
  int number;
};

// A pointer to a function in a struct is null.
int has_handler(const struct action *action) {
  if (action != NULL && action->handler != NULL)
    return action->handler(action->number);
  return 0;
}

static int twice(int number) { return 2 * number; }

// A pointer to a function is compared with null, too.
int (*handler(int number))(int) {
  if (number > 3)
    return twice;
  return NULL;
}

typedef int (*callback)(int);

// So are pointers to functions in an array.
int any_callback(callback const *callbacks) {
  if (callbacks != NULL && callbacks[0] != NULL)
    return 1;
  return 0;
}

struct hidden;

// Nothing is known about what is behind the pointer.
int is_given(struct hidden *hidden) {
  if (hidden != NULL)
    return 1;
  return 0;
}

enum color { RED, GREEN = 5, BLUE };

// Numbers that are no color are tried as well.
const char *color_name(enum color color) {
  switch (color) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
  }
  return "none";
}

int either(bool first) {
  if (first)
    return 10;
  return 20;
}

__int128 huge(__int128 number) {
  if (number > 5)
    return number - 1;
  return number;
}

struct point { int x, y; };
struct box { long x, y, z; };
struct weighted { double weight; int count; };
struct rgb { float red, green, blue; };
struct one { char letter; };

// Small structs are returned in registers, large ones through memory.
struct point point_of(int number) {
  struct point point = {number, 0};
  if (number > 3)
    point.y = 1;
  return point;
}

struct box box_of(int number) {
  struct box box = {number, 0, 9};
  if (number > 3)
    box.y = 1;
  return box;
}

// The same when they are passed.
int same_corner(struct point point, struct box box) {
  if (point.x == box.x && box.z == point.y + 3)
    return 1;
  return 0;
}

int volume(struct weighted weighted) {
  if (weighted.weight > 2 && weighted.count == 3)
    return 1;
  return 0;
}

int left_of(struct rgb color) {
  if (color.blue > 2 && color.red < 1)
    return 1;
  return 0;
}

int letter_of(struct one one) {
  if (one.letter == 'x')
    return 1;
  return 0;
}

struct samples { int count; int values[]; };

int has_samples(struct samples *samples) {
  if (samples != NULL && samples->count > 3)
    return samples->count;
  return 0;
}

struct measure { long double exact; int class; };

// A long double may be a member, as long as nobody computes with it.
int weight_class(struct measure *measure) {
  if (measure != NULL && measure->class > 3)
    return measure->class;
  return 0;
}

int wide_letter(const wchar_t *text) {
  if (text != NULL && text[0] == L'x')
    return 1;
  return 0;
}

void touch(void) {}

int answer(void) { return 42; }

static inline int helper(int number) {
  if (number > 3)
    return 1;
  return 0;
}

// An array of structs. As always in C, its declared length says nothing.
int sum_to(struct point points[2]) {
  if (points == NULL)
    return 0;
  if (points[1].x > 3)
    points[0].y = points[1].x;
  return points[0].x;
}
