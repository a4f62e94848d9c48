// The site table as bytes: plain arrays behind their lengths. It is a cache file, made and read by
// the same build of culprit (the cache key says so), hence no version of its own.
#include "compiler/sites/site_table.h"

#include "support/diagnostics.h"

#include <cstring>

namespace culprit {

const char *nameOf(SiteKind kind) {
  static const char *const names[] = {"compute", "define", "load",   "store",  "call",
                                      "branch",  "jump",   "return", "declare"};
  return names[static_cast<uint32_t>(kind)];
}

namespace {

template <typename T> void put(std::string &out, const std::vector<T> &rows) {
  uint64_t count = rows.size();
  out.append(reinterpret_cast<const char *>(&count), sizeof count);
  out.append(reinterpret_cast<const char *>(rows.data()), count * sizeof(T));
}

template <typename T> std::vector<T> take(std::string_view &in) {
  uint64_t count = 0;
  if (in.size() < sizeof count)
    failInternal("a site table in the cache is cut short; run 'culprit cache --clear'");
  std::memcpy(&count, in.data(), sizeof count);
  in.remove_prefix(sizeof count);
  if (count > in.size() / sizeof(T))
    failInternal("a site table in the cache is cut short; run 'culprit cache --clear'");
  std::vector<T> rows(count);
  std::memcpy(rows.data(), in.data(), count * sizeof(T));
  in.remove_prefix(count * sizeof(T));
  return rows;
}

} // namespace

std::string SiteTable::serialise() const {
  std::string text;
  for (const std::string &string : strings)
    text.append(string.c_str(), string.size() + 1);
  std::string out;
  put(out, std::vector<char>(text.begin(), text.end()));
  put(out, files);
  put(out, sites);
  put(out, functions);
  put(out, blocks);
  put(out, edges);
  put(out, std::vector<uint32_t>{counterCount});
  return out;
}

SiteTable SiteTable::parse(std::string_view bytes) {
  SiteTable table;
  table.strings.clear();
  std::vector<char> text = take<char>(bytes);
  for (size_t start = 0; start < text.size();) {
    std::string_view rest(text.data() + start, text.size() - start);
    std::string_view string = rest.substr(0, rest.find('\0'));
    table.strings.emplace_back(string);
    start += string.size() + 1;
  }
  table.files = take<SiteFile>(bytes);
  table.sites = take<Site>(bytes);
  table.functions = take<SiteFunction>(bytes);
  table.blocks = take<SiteBlock>(bytes);
  table.edges = take<SiteEdge>(bytes);
  table.counterCount = take<uint32_t>(bytes).at(0);
  return table;
}

} // namespace culprit
