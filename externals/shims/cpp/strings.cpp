// std::string and std::wstring.
#define _GLIBCXX_USE_CXX11_ABI 1
#include "externals/shims/cpp/strings.inc"
