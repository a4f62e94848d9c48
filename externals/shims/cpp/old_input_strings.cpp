// Reading std::string of the ABI before C++11 from streams.
#define _GLIBCXX_USE_CXX11_ABI 0
#include "externals/shims/cpp/input_strings.inc"
