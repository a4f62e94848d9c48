// cin, cout, cerr, clog and their wide kin: space in which libstdc++ makes them. The buffers behind
// them are libstdc++'s.
#include "externals/models/library_variable.h"

#include <istream>
#include <ostream>

#define CULPRIT_STREAM(type, name, symbol)                                                         \
  CULPRIT_VARIABLE alignas(std::type) char name[sizeof(std::type)] __asm__(symbol) = {};

CULPRIT_STREAM(istream, culpritInput, "_ZSt3cin")
CULPRIT_STREAM(ostream, culpritOutput, "_ZSt4cout")
CULPRIT_STREAM(ostream, culpritErrors, "_ZSt4cerr")
CULPRIT_STREAM(ostream, culpritLog, "_ZSt4clog")
CULPRIT_STREAM(wistream, culpritWideInput, "_ZSt4wcin")
CULPRIT_STREAM(wostream, culpritWideOutput, "_ZSt5wcout")
CULPRIT_STREAM(wostream, culpritWideErrors, "_ZSt5wcerr")
CULPRIT_STREAM(wostream, culpritWideLog, "_ZSt5wclog")
