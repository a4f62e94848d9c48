// Streams over strings of the ABI before C++11.
#define _GLIBCXX_USE_CXX11_ABI 0
#include "externals/shims/cpp/string_streams.inc"
