// Reading std::string from streams.
#define _GLIBCXX_USE_CXX11_ABI 1
#include "externals/shims/cpp/input_strings.inc"
