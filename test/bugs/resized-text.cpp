// The worst case of packing is computed too small; a function of one line makes the room for it.
// expect: kind=broken-heap line=fail
// cause: line=cause
// locate: line=alloc and=second
#include <cstdio>
#include <cstring>
#include <string>

static std::size_t worstCase(std::size_t size) {
  return size - size / 4 + 4; // cause: plus
}

static void makeRoom(std::string *text, std::size_t size) {
  text->resize(size);
}

static void pack(const std::string &from, std::string *to) {
  makeRoom(to, worstCase(from.size())); // alloc
  char *out = &(*to)[0];
  std::memcpy(out, "PK", 2);
  std::memcpy(out + 2, from.data(), from.size()); // second
}

int main(int argc, char **argv) {
  std::string packed;
  std::string text(200 + argc, 'x');
  pack(text, &packed);
  std::printf("%zu\n", packed.size()); // fail
}
