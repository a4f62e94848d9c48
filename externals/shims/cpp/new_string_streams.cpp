// Streams over strings, with what C++20 has changed of them: other functions of the same classes.
#define _GLIBCXX_USE_CXX11_ABI 1
#include "externals/shims/cpp/string_streams.inc"
