// Streams over files. What moves the bytes, std::__basic_file, is no template: it hands buffers of
// the program to the system.
#include <ext/stdio_filebuf.h>
#include <ext/stdio_sync_filebuf.h>
#include <fstream>

namespace std {

#define CULPRIT_FILE_STREAMS(Char)                                                                 \
  template class basic_filebuf<Char>;                                                              \
  template class basic_ifstream<Char>;                                                             \
  template class basic_ofstream<Char>;                                                             \
  template class basic_fstream<Char>;

CULPRIT_FILE_STREAMS(char)
CULPRIT_FILE_STREAMS(wchar_t)

} // namespace std

namespace __gnu_cxx {

template class stdio_filebuf<char>;
template class stdio_filebuf<wchar_t>;
template class stdio_sync_filebuf<char>;
template class stdio_sync_filebuf<wchar_t>;

} // namespace __gnu_cxx
