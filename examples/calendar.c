/* A function without a program: its parameter is the input. One of the checks is off by one.
 *
 *     secateur run examples/calendar.c --entry day_of_year --array-len 1 --non-null
 */
struct date {
  short year;
  signed char month, day;
};

static const int lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int is_leap_year(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

/* From 1 to 366; 0 if there is no such day. */
int day_of_year(const struct date *date) {
  if (date->month < 1 || date->month > 12) return 0;
  int last = lengths[date->month];
  if (date->month == 2 && is_leap_year(date->year)) last++;
  if (date->day < 1 || date->day > last) return 0;
  int day = date->day;
  for (int month = 1; month < date->month; month++) day += lengths[month - 1];
  if (date->month > 2 && is_leap_year(date->year)) day++;
  return day;
}
