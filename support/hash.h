// Content hashes as hexadecimal text: names of cache entries and ids of modules.
#ifndef CULPRIT_SUPPORT_HASH_H
#define CULPRIT_SUPPORT_HASH_H

#include <cstdint>
#include <string>
#include <string_view>

namespace culprit {

std::string toHex(const uint8_t *bytes, size_t count);

} // namespace culprit
#endif
