// Hosts, services, protocols and networks by name, number or in turn.
#include "externals/external.h"
#include "externals/models/record_slot.h"

#include <netdb.h>

namespace culprit {

CULPRIT_RECORD_FUNCTION(servent, getservbyname, (const char *name, const char *protocol), name,
                        protocol)
CULPRIT_RECORD_FUNCTION(servent, getservbyport, (int port, const char *protocol), port, protocol)
CULPRIT_RECORD_FUNCTION(servent, getservent, ())
CULPRIT_RECORD_FUNCTION(protoent, getprotobyname, (const char *name), name)
CULPRIT_RECORD_FUNCTION(protoent, getprotobynumber, (int number), number)
CULPRIT_RECORD_FUNCTION(protoent, getprotoent, ())

/// The same for functions that tell their errors in h_errno.
#define CULPRIT_HOST_FUNCTION(Record, name, parameters, ...)                                       \
  CULPRIT_EXTERNAL Record *name parameters {                                                       \
    static RecordSlot<Record> slot;                                                                \
    if (!CULPRIT_CALLED_BY_PROGRAM)                                                                \
      return CULPRIT_NEXT(name)(__VA_ARGS__);                                                      \
    int error = 0;                                                                                 \
    Record *found = slot.fill([&](Record *record, char *buffer, size_t size, Record **result) {    \
      int status = name##_r(__VA_ARGS__ __VA_OPT__(, ) record, buffer, size, result, &error);      \
      return error == NETDB_INTERNAL ? status : 0;                                                 \
    });                                                                                            \
    if (error != 0)                                                                                \
      h_errno = error;                                                                             \
    return found;                                                                                  \
  }

CULPRIT_HOST_FUNCTION(hostent, gethostbyname, (const char *name), name)
CULPRIT_HOST_FUNCTION(hostent, gethostbyname2, (const char *name, int family), name, family)
CULPRIT_HOST_FUNCTION(hostent, gethostbyaddr, (const void *address, socklen_t length, int family),
                      address, length, family)
CULPRIT_HOST_FUNCTION(hostent, gethostent, ())
CULPRIT_HOST_FUNCTION(netent, getnetbyname, (const char *name), name)
CULPRIT_HOST_FUNCTION(netent, getnetbyaddr, (uint32_t network, int family), network, family)
CULPRIT_HOST_FUNCTION(netent, getnetent, ())

} // namespace culprit
