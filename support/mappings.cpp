// See mappings.h.
#include "support/mappings.h"

#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace culprit {

std::vector<Mapping> mappingsOf(pid_t process) {
  std::vector<Mapping> mappings;
  std::ifstream list(fmt::format("/proc/{}/maps", process));
  for (std::string line; std::getline(list, line);) {
    Mapping mapping;
    char dash = 0;
    std::string offset;
    std::string device;
    std::string inode;
    std::istringstream words(line);
    words >> std::hex >> mapping.begin >> dash >> mapping.end >> mapping.rights >> offset >>
        device >> inode;
    if (!words)
      continue;
    mapping.isFile = inode != "0";
    words >> mapping.name;
    mappings.push_back(std::move(mapping));
  }
  return mappings;
}

} // namespace culprit
