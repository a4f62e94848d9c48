// argp: libc's parser of arguments, which writes help and what is wrong to streams.
//
// It does so from within, where no function of ours stands in the way. So while it runs, libc's
// stdout and stderr are files that lead to the program's; and a stream of the program's that is
// handed to it is such a file for the length of the call. These files have no buffer, so nothing is
// left in them when argp ends the program.
#include "externals/external.h"
#include "externals/shims/foreign_view.h"

#include <argp.h>

namespace culprit {
namespace {

/// Calls with a file that libc can write to and that leads to `stream`; null without memory.
template <typename Call> auto withFile(FILE *stream, Call call) {
  Stream *own = ownStream(stream);
  if (!own)
    return call(stream);
  ForeignView view(*own, "w");
  if (view.file())
    CULPRIT_NEXT(setvbuf)(view.file(), nullptr, _IONBF, 0);
  return call(view.file());
}

/// Sets one of libc's variables for as long as it is there.
class Replaced {
public:
  Replaced(FILE *&variable, FILE *file) : variable_(variable), before_(variable) {
    if (file)
      variable_ = file;
  }
  ~Replaced() { variable_ = before_; }
  Replaced(const Replaced &) = delete;
  Replaced &operator=(const Replaced &) = delete;

private:
  FILE *&variable_;
  FILE *before_;
};

} // namespace

CULPRIT_EXTERNAL error_t argp_parse(const struct argp *parser, int count, char **arguments,
                                    unsigned flags, int *end, void *input) {
  return withFile(__culprit_stdout, [&](FILE *output) {
    return withFile(__culprit_stderr, [&](FILE *errors) {
      Replaced first(stdout, output);
      Replaced second(stderr, errors);
      return CULPRIT_NEXT(argp_parse)(parser, count, arguments, flags, end, input);
    });
  });
}

CULPRIT_EXTERNAL void argp_help(const struct argp *parser, FILE *stream, unsigned flags,
                                char *name) {
  withFile(stream, [&](FILE *file) { CULPRIT_NEXT(argp_help)(parser, file, flags, name); });
}

CULPRIT_EXTERNAL void argp_state_help(const struct argp_state *state, FILE *stream,
                                      unsigned flags) {
  withFile(stream, [&](FILE *file) { CULPRIT_NEXT(argp_state_help)(state, file, flags); });
}

} // namespace culprit
