// Streams over strings, as programs of C++17 and before know them.
#define _GLIBCXX_USE_CXX11_ABI 1
#include "externals/shims/cpp/string_streams.inc"
