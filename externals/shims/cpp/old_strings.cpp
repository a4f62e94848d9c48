// std::string and std::wstring of the ABI before C++11, which programs can ask for.
#define _GLIBCXX_USE_CXX11_ABI 0
#include "externals/shims/cpp/strings.inc"
