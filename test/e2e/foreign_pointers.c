// Preloaded into an analysed program by tests: when it exits, lists the words of its memory that
// point into memory of others, to the file that FOREIGN_POINTERS names.
//
// The program's memory is what abi/memory_map.h says: globals of the executable and of twin
// libraries, the heap, frames. Everything else that is mapped belongs to libc and other foreign
// code. Counted apart, and no fault: addresses of foreign code (function pointers, bases of
// libraries), threads (pthread_t), and what the kernel has put on the stack before the start:
// arguments and environment.
//
// Two more are of libstdc++'s shared library alone. Its constants (virtual tables, type
// information, texts: all that is read-only once it is relocated) are like its code: an object of a
// class that it has must point to them, and nobody can write to them. Its variables are the one
// exception from the rule: docs/ARCHITECTURE.md, 'The C++ library', says which they are.
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct range {
  uint64_t start, end;
};
struct mapping {
  struct range at;
  int is_code, is_writable;
  unsigned long offset;
  char name[200];
};

static const struct range program_areas[] = {
    {0x20000000, 0x70000000},         // .data and .bss of the executable
    {0x049001230000, 0x049002000000}, // errno and the like
    {0x050000000000, 0x070000000000}, // libraries
    {0x100000000000, 0x180000000000}, // heap
    {0x200000000000, 0x220000000000}, // frames
};
static const struct range runtime_areas[] = {
    {0, 0x20000000},
    {0x70000000, 0x80000000},
    {0x190000000000, 0x1f0000000000},
    {0x2a0000000000, 0x400000000000},
};
static struct mapping mappings[4096];
static int mapping_count;

static int is_in(uint64_t value, const struct range *ranges, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (value >= ranges[i].start && value < ranges[i].end)
      return 1;
  return 0;
}
#define IS_IN(value, ranges) is_in(value, ranges, sizeof ranges / sizeof *ranges)

/* libstdc++: all of it, what is written to, and which part of that only while it is relocated. */
static struct range cpp_library, cpp_variables, cpp_relocated;

static int find_cpp_library(struct dl_phdr_info *image, size_t size, void *unused) {
  (void)size, (void)unused;
  if (!strstr(image->dlpi_name, "/libstdc++.so"))
    return 0;
  cpp_library.start = image->dlpi_addr;
  for (int i = 0; i < image->dlpi_phnum; ++i) {
    const ElfW(Phdr) *segment = &image->dlpi_phdr[i];
    uint64_t start = image->dlpi_addr + segment->p_vaddr;
    struct range at = {start, start + segment->p_memsz};
    if (segment->p_type == PT_LOAD)
      cpp_library.end = at.end;
    if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W) != 0)
      cpp_variables = at;
    if (segment->p_type == PT_GNU_RELRO)
      cpp_relocated = at;
  }
  return 1;
}

static void read_mappings(void) {
  FILE *file = fopen("/proc/self/maps", "r");
  char line[600], access[8];
  while (file && mapping_count < 4096 && fgets(line, sizeof line, file)) {
    struct mapping *mapping = &mappings[mapping_count];
    mapping->name[0] = 0;
    if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %199s", &mapping->at.start, &mapping->at.end, access,
               &mapping->offset, mapping->name) < 4)
      continue;
    mapping->is_code = access[2] == 'x';
    mapping->is_writable = access[1] == 'w';
    ++mapping_count;
  }
  if (file)
    fclose(file);
}

static struct mapping *mapping_of(uint64_t value) {
  int low = 0, high = mapping_count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (mappings[middle].at.end <= value)
      low = middle + 1;
    else
      high = middle;
  }
  return low < mapping_count && value >= mappings[low].at.start ? &mappings[low] : NULL;
}

// A thread's descriptor starts with a pointer to itself, and has another behind the next word.
static int is_thread(uint64_t value, const struct mapping *mapping) {
  const uint64_t *words = (const uint64_t *)value;
  return value % 16 == 0 && value + 24 <= mapping->at.end && mapping->is_writable &&
         words[0] == value && words[2] == value;
}

static int counts[5];

static void check_word(FILE *out, const uint64_t *place) {
  uint64_t value = *place;
  const struct mapping *mapping = value < 0x1000 ? NULL : mapping_of(value);
  // libc's heap starts anywhere behind the executable.
  int is_libc_heap = mapping && strcmp(mapping->name, "[heap]") == 0;
  if (!mapping || (!is_libc_heap && (IS_IN(value, program_areas) || IS_IN(value, runtime_areas))))
    return;
  if (mapping->is_code ||
      (mapping->offset == 0 && value == mapping->at.start && mapping->name[0] == '/'))
    ++counts[0];
  else if (is_thread(value, mapping))
    ++counts[1];
  else if (strcmp(mapping->name, "[stack]") == 0)
    ++counts[2];
  else if (is_in(value, &cpp_library, 1) &&
           (!is_in(value, &cpp_variables, 1) || is_in(value, &cpp_relocated, 1)))
    ++counts[3];
  else if (is_in(value, &cpp_variables, 1))
    ++counts[4];
  else
    fprintf(out, "%p: %p in %s\n", (void *)place, (void *)value,
            mapping->name[0] ? mapping->name : "memory without a name");
}

static void check_memory(FILE *out) {
  int scanned = mapping_count;
  for (int i = 0; i < scanned; ++i) {
    const struct mapping *mapping = &mappings[i];
    if (!mapping->is_writable || !IS_IN(mapping->at.start, program_areas))
      continue;
    const uint64_t *end = (const uint64_t *)mapping->at.end;
    for (const uint64_t *place = (const uint64_t *)mapping->at.start; place < end; ++place)
      check_word(out, place);
  }
}

__attribute__((destructor)) static void check(void) {
  const char *path = getenv("FOREIGN_POINTERS");
  read_mappings();
  dl_iterate_phdr(find_cpp_library, NULL);
  if (!path || !mapping_of(0x70000000))
    return;
  FILE *out = fopen(path, "a");
  if (!out)
    return;
  check_memory(out);
  fprintf(out, "code %d, threads %d, stack %d, constants %d, variables %d\n", counts[0], counts[1],
          counts[2], counts[3], counts[4]);
  fclose(out);
}
