// Calendar arithmetic on a struct that is passed by value and by pointer.
//! unit: is_leap 4/4
//! unit: days_in_month 5/5
//! unit: next_day 8/8 --array-len 1
//! unit: weekday 2/2
#include <stdbool.h>
#include <stddef.h>

struct date {
  int year;
  unsigned char month, day;
};

bool is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

static int days_in_month(int year, int month) {
  switch (month) {
  case 2:
    return is_leap(year) ? 29 : 28;
  case 4:
  case 6:
  case 9:
  case 11:
    return 30;
  default:
    return month < 1 || month > 12 ? 0 : 31;
  }
}

bool next_day(struct date *date) {
  if (!date || date->year < 1 || date->year > 9999)
    return false;
  int days = days_in_month(date->year, date->month);
  if (date->day < days) {
    date->day++;
    return true;
  }
  date->day = 1;
  date->month = date->month % 12 + 1;
  date->year += date->month == 1;
  return true;
}

/* 0 is Sunday; for the years 1 to 9999. */
int weekday(struct date date) {
  static const int offsets[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
  int month = (unsigned)(date.month - 1) % 12;
  int year = (int)((unsigned)date.year % 10000);
  if (month < 2)
    year--;
  return (year + year / 4 - year / 100 + year / 400 + offsets[month] + date.day) % 7;
}
