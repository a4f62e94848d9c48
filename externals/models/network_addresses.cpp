// Addresses: lists that libc allocates become blocks of the program's, whose kind is told by their
// address when they are freed.
#include "externals/external.h"
#include "externals/models/kept_text.h"
#include "externals/models/thread_cells.h"
#include "runtime/heap.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <stdlib.h>
#include <string.h>

namespace culprit {
namespace {

char g_etherText[18];
ether_addr g_etherAddress;

/// An entry with its address behind it, and the name in a block of its own.
addrinfo *copyEntry(const addrinfo *theirs) {
  auto *entry = static_cast<addrinfo *>(malloc(sizeof(addrinfo) + theirs->ai_addrlen));
  if (!entry)
    return nullptr;
  *entry = *theirs;
  entry->ai_next = nullptr;
  entry->ai_addr = reinterpret_cast<sockaddr *>(entry + 1);
  memcpy(entry->ai_addr, theirs->ai_addr, theirs->ai_addrlen);
  if (theirs->ai_canonname)
    entry->ai_canonname = strdup(theirs->ai_canonname);
  return entry;
}

void freeList(addrinfo *list) {
  while (list) {
    addrinfo *next = list->ai_next;
    free(list->ai_canonname);
    free(list);
    list = next;
  }
}

addrinfo *copyList(const addrinfo *theirs) {
  addrinfo *first = nullptr;
  for (addrinfo **end = &first; theirs; theirs = theirs->ai_next, end = &(*end)->ai_next) {
    *end = copyEntry(theirs);
    if (!*end) {
      freeList(first);
      return nullptr;
    }
  }
  return first;
}

struct Interface {
  ifaddrs entry;
  sockaddr_storage addresses[3];
  rtnl_link_stats counts;
  char name[IF_NAMESIZE];
};

size_t sizeOf(const sockaddr *address) {
  switch (address->sa_family) {
  case AF_INET:
    return sizeof(sockaddr_in);
  case AF_INET6:
    return sizeof(sockaddr_in6);
  default:
    return sizeof(sockaddr_ll);
  }
}

sockaddr *copyAddress(const sockaddr *theirs, sockaddr_storage *slot) {
  return theirs ? static_cast<sockaddr *>(memcpy(slot, theirs, sizeOf(theirs))) : nullptr;
}

void copyInterface(const ifaddrs *theirs, Interface &ours) {
  ours.entry = *theirs;
  ours.entry.ifa_next = nullptr;
  ours.entry.ifa_name = copyInto(ours.name, theirs->ifa_name);
  ours.entry.ifa_addr = copyAddress(theirs->ifa_addr, &ours.addresses[0]);
  ours.entry.ifa_netmask = copyAddress(theirs->ifa_netmask, &ours.addresses[1]);
  ours.entry.ifa_ifu.ifu_dstaddr = copyAddress(theirs->ifa_ifu.ifu_dstaddr, &ours.addresses[2]);
  if (theirs->ifa_data)
    ours.entry.ifa_data = memcpy(&ours.counts, theirs->ifa_data, sizeof ours.counts);
}

} // namespace

CULPRIT_EXTERNAL int getaddrinfo(const char *name, const char *service, const addrinfo *hints,
                                 addrinfo **result) {
  addrinfo *theirs = nullptr;
  int error = CULPRIT_NEXT(getaddrinfo)(name, service, hints, &theirs);
  if (error != 0)
    return error;
  if (!CULPRIT_CALLED_BY_PROGRAM) {
    *result = theirs;
    return 0;
  }
  addrinfo *list = copyList(theirs);
  CULPRIT_NEXT(freeaddrinfo)(theirs);
  if (!list)
    return EAI_MEMORY;
  *result = list;
  return 0;
}

CULPRIT_EXTERNAL void freeaddrinfo(addrinfo *list) {
  isHeapAddress(list) ? freeList(list) : CULPRIT_NEXT(freeaddrinfo)(list);
}

/// One block for all, as in glibc.
CULPRIT_EXTERNAL int getifaddrs(ifaddrs **result) {
  ifaddrs *theirs = nullptr;
  if (CULPRIT_NEXT(getifaddrs)(&theirs) != 0)
    return -1;
  if (!CULPRIT_CALLED_BY_PROGRAM || !theirs) {
    *result = theirs;
    return 0;
  }
  size_t count = 0;
  for (ifaddrs *entry = theirs; entry; entry = entry->ifa_next)
    ++count;
  auto *ours = static_cast<Interface *>(calloc(count, sizeof(Interface)));
  if (ours) {
    size_t i = 0;
    for (ifaddrs *entry = theirs; entry; entry = entry->ifa_next, ++i) {
      copyInterface(entry, ours[i]);
      if (entry->ifa_next)
        ours[i].entry.ifa_next = &ours[i + 1].entry;
    }
    *result = &ours->entry;
  }
  CULPRIT_NEXT(freeifaddrs)(theirs);
  return ours ? 0 : -1;
}

CULPRIT_EXTERNAL void freeifaddrs(ifaddrs *list) {
  isHeapAddress(list) ? free(list) : CULPRIT_NEXT(freeifaddrs)(list);
}

CULPRIT_EXTERNAL struct if_nameindex *if_nameindex() {
  struct if_nameindex *theirs = CULPRIT_NEXT(if_nameindex)();
  if (!theirs || !CULPRIT_CALLED_BY_PROGRAM)
    return theirs;
  size_t count = 0;
  while (theirs[count].if_index != 0)
    ++count;
  auto *ours = static_cast<struct if_nameindex *>(calloc(count + 1, sizeof *theirs));
  for (size_t i = 0; ours && i < count; ++i)
    ours[i] = {theirs[i].if_index, strdup(theirs[i].if_name)};
  CULPRIT_NEXT(if_freenameindex)(theirs);
  return ours;
}

CULPRIT_EXTERNAL void if_freenameindex(struct if_nameindex *list) {
  if (!isHeapAddress(list)) {
    CULPRIT_NEXT(if_freenameindex)(list);
    return;
  }
  for (struct if_nameindex *entry = list; entry->if_name || entry->if_index != 0; ++entry)
    free(entry->if_name);
  free(list);
}

CULPRIT_EXTERNAL char *inet_ntoa(in_addr address) {
  char *text = CULPRIT_NEXT(inet_ntoa)(address);
  return CULPRIT_CALLED_BY_PROGRAM ? copyInto(ownCells().internetAddress, text) : text;
}

CULPRIT_EXTERNAL char *ether_ntoa(const ether_addr *address) {
  return ether_ntoa_r(address, g_etherText);
}

CULPRIT_EXTERNAL ether_addr *ether_aton(const char *text) {
  return ether_aton_r(text, &g_etherAddress);
}

} // namespace culprit
