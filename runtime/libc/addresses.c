/* Messages of the functions that look up addresses, as in glibc. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <netdb.h>
#include <stddef.h>

static const struct {
  int number;
  const char *text;
} messages[] = {
    {EAI_BADFLAGS, "Bad value for ai_flags"},
    {EAI_NONAME, "Name or service not known"},
    {EAI_AGAIN, "Temporary failure in name resolution"},
    {EAI_FAIL, "Non-recoverable failure in name resolution"},
    {EAI_NODATA, "No address associated with hostname"},
    {EAI_FAMILY, "ai_family not supported"},
    {EAI_SOCKTYPE, "ai_socktype not supported"},
    {EAI_SERVICE, "Servname not supported for ai_socktype"},
    {-9, "Address family for hostname not supported"},
    {EAI_MEMORY, "Memory allocation failure"},
    {EAI_SYSTEM, "System error"},
    {-100, "Processing request in progress"},
    {-101, "Request canceled"},
    {-102, "Request not canceled"},
    {-103, "All requests done"},
    {-104, "Interrupted by a signal"},
    {-105, "Parameter string not correctly encoded"},
};

REPLACEABLE const char *gai_strerror(int number) {
  for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
    if (messages[i].number == number) return messages[i].text;
  return "Unknown error";
}

REPLACEABLE const char *hstrerror(int number) {
  static const char *const errors[] = {"Resolver Error 0 (no error)", "Unknown host", "Host name lookup failure",
                                       "Unknown server error", "No address associated with name"};
  if (number < 0) return "Resolver internal error";
  return number < (int)(sizeof errors / sizeof *errors) ? errors[number] : "Unknown resolver error";
}
