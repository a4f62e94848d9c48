# Writes OUTPUT, which defines compilerIdentity() as a hash of the files that LIST names, one a line;
# see twin/identity.h.
file(STRINGS ${LIST} inputs)
foreach(input IN LISTS inputs)
  file(SHA256 ${input} hash)
  string(APPEND hashes ${hash})
endforeach()
string(SHA256 identity "${hashes}")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[
#include "compiler/twin/identity.h"

const std::string &culprit::compilerIdentity() {
  static const std::string identity = "@identity@";
  return identity;
}
]] @ONLY)
