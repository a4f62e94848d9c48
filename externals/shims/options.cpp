// getopt, getopt_long and getopt_long_only.
//
// optarg, optind, opterr and optopt are libc's variables, which the program shares; what is kept
// from call to call besides is memory of the program. Arguments that are no options are moved
// behind the options as these are found: a range of them, [firstOther, lastOther), is kept for
// that.
#include "externals/shims/option_messages.h"

#include <stdlib.h>
#include <string.h>

extern "C" int __posix_getopt(int argc, char *const *argv, const char *letters);

namespace culprit {
namespace {

/// What to do with arguments that are no options.
enum class Order {
  Permute, ///< move them behind the options
  Stop,    ///< options end there
  Return,  ///< hand them out as if they were arguments of option 1
};

struct State {
  int next = 0;             ///< as optind
  char *argument = nullptr; ///< as optarg
  int badOption = 0;        ///< as optopt
  bool hasBegun = false;
  Order order = Order::Permute;
  char *rest = nullptr; ///< of an argument with several short options
  int firstOther = 0;
  int lastOther = 0;
};

State g_state;

bool isOption(const char *argument) {
  return argument[0] == '-' && argument[1] != 0;
}

/// As libc, letters beyond ASCII are negative.
int codeOf(char letter) {
  return letter; // NOLINT(bugprone-signed-char-misuse)
}

void exchange(char *&a, char *&b) {
  char *kept = a;
  a = b;
  b = kept;
}

/// One call; the program's arguments are not changed but for their order.
class Scan {
public:
  Scan(State &state, int argc, char **argv, const char *letters, const option *longOptions,
       int *longIndex, bool isLongOnly)
      : state_(state), argc_(argc), argv_(argv), letters_(letters), longOptions_(longOptions),
        longIndex_(longIndex), isLongOnly_(isLongOnly), says_(opterr != 0) {}

  int run(bool isPosix) {
    if (argc_ < 1)
      return -1;
    state_.argument = nullptr;
    if (state_.next == 0 || !state_.hasBegun)
      begin(isPosix);
    else if (letters_[0] == '-' || letters_[0] == '+')
      ++letters_;
    says_ = says_ && letters_[0] != ':';
    if (state_.rest && *state_.rest != 0)
      return shortOption();
    if (!findOption())
      return result_;
    return takeOption();
  }

private:
  void begin(bool isPosix) {
    if (state_.next == 0)
      state_.next = 1;
    state_.firstOther = state_.lastOther = state_.next;
    state_.rest = nullptr;
    state_.order = Order::Permute;
    if (letters_[0] == '-')
      state_.order = Order::Return;
    else if (letters_[0] == '+' || isPosix || getenv("POSIXLY_CORRECT"))
      state_.order = Order::Stop;
    if (letters_[0] == '-' || letters_[0] == '+')
      ++letters_;
    state_.hasBegun = true;
  }

  /// Exchanges the arguments that are no options with the options behind them: the shorter part is
  /// put in its place, the rest is two parts again.
  void moveOthersBack() {
    int bottom = state_.firstOther;
    int middle = state_.lastOther;
    int top = state_.next;
    while (top > middle && middle > bottom) {
      int others = middle - bottom;
      int options = top - middle;
      if (options > others) {
        for (int i = 0; i < others; ++i)
          exchange(argv_[bottom + i], argv_[top - others + i]);
        top -= others;
      } else {
        for (int i = 0; i < options; ++i)
          exchange(argv_[bottom + i], argv_[middle + i]);
        bottom += options;
      }
    }
    state_.firstOther += state_.next - state_.lastOther;
    state_.lastOther = state_.next;
  }

  bool hasOthersInFront() const {
    return state_.firstOther != state_.lastOther && state_.lastOther != state_.next;
  }

  void permute() {
    if (hasOthersInFront())
      moveOthersBack();
    else if (state_.lastOther != state_.next)
      state_.firstOther = state_.next;
    while (state_.next < argc_ && !isOption(argv_[state_.next]))
      ++state_.next;
    state_.lastOther = state_.next;
  }

  void takeDoubleDash() {
    ++state_.next;
    if (hasOthersInFront())
      moveOthersBack();
    else if (state_.firstOther == state_.lastOther)
      state_.firstOther = state_.next;
    state_.lastOther = argc_;
    state_.next = argc_;
  }

  /// Goes to the next argument with options; false: there is a result without one.
  bool findOption() {
    // The program may have set optind back.
    if (state_.lastOther > state_.next)
      state_.lastOther = state_.next;
    if (state_.firstOther > state_.next)
      state_.firstOther = state_.next;
    if (state_.order == Order::Permute)
      permute();
    if (state_.next != argc_ && strcmp(argv_[state_.next], "--") == 0)
      takeDoubleDash();
    result_ = -1;
    if (state_.next == argc_) {
      if (state_.firstOther != state_.lastOther)
        state_.next = state_.firstOther;
      return false;
    }
    if (isOption(argv_[state_.next]))
      return true;
    if (state_.order != Order::Stop) {
      state_.argument = argv_[state_.next++];
      result_ = 1;
    }
    return false;
  }

  int takeOption() {
    char *argument = argv_[state_.next];
    if (longOptions_ && argument[1] == '-') {
      state_.rest = argument + 2;
      return longOption("--", isLongOnly_);
    }
    // "-f" is the short option f if there is one; "-fu" may be a long one.
    if (longOptions_ && isLongOnly_ && (argument[2] != 0 || !strchr(letters_, argument[1]))) {
      state_.rest = argument + 1;
      int result = longOption("-", true);
      if (result != -1)
        return result;
    }
    state_.rest = argument + 1;
    return shortOption();
  }

  int missingArgument(char letter) {
    if (says_)
      sayOption(OptionMessage::NeedsArgument, argv_[0], letter);
    state_.badOption = codeOf(letter);
    return letters_[0] == ':' ? ':' : '?';
  }

  int shortOption() {
    char letter = *state_.rest++;
    const char *found = strchr(letters_, letter);
    if (*state_.rest == 0)
      ++state_.next;
    if (!found || letter == ':' || letter == ';') {
      if (says_)
        sayOption(OptionMessage::Invalid, argv_[0], letter);
      state_.badOption = codeOf(letter);
      return '?';
    }
    if (found[0] == 'W' && found[1] == ';' && longOptions_)
      return longOptionOfW(letter);
    if (found[1] == ':')
      return takeArgument(letter, found[2] == ':');
    return codeOf(letter);
  }

  int takeArgument(char letter, bool isOptional) {
    int result = codeOf(letter);
    state_.argument = nullptr;
    if (*state_.rest != 0) {
      state_.argument = state_.rest;
      ++state_.next;
    } else if (!isOptional && state_.next == argc_) {
      result = missingArgument(letter);
    } else if (!isOptional) {
      state_.argument = argv_[state_.next++];
    }
    state_.rest = nullptr;
    return result;
  }

  /// "-W foo" is "--foo".
  int longOptionOfW(char letter) {
    if (*state_.rest == 0) {
      if (state_.next == argc_)
        return missingArgument(letter);
      state_.rest = argv_[state_.next];
    }
    state_.argument = nullptr;
    return longOption("-W ", false);
  }

  bool isPrefixOf(const char *name, size_t length) const {
    return strncmp(name, state_.rest, length) == 0;
  }

  struct Match {
    const option *found = nullptr;
    bool isAmbiguous = false;
  };

  /// The option of that name, or the only one that begins so.
  Match match(size_t length, bool isLongOnly) const {
    for (const option *each = longOptions_; each->name; ++each)
      if (isPrefixOf(each->name, length) && each->name[length] == 0)
        return {each, false};
    Match match;
    for (const option *each = longOptions_; each->name; ++each) {
      if (!isPrefixOf(each->name, length))
        continue;
      if (!match.found)
        match.found = each;
      else if (isLongOnly || isAnotherOption(*match.found, *each))
        match.isAmbiguous = true;
    }
    return match;
  }

  /// -1: it is none, but may be a short one.
  int longOption(const char *prefix, bool isLongOnly) {
    char *end = state_.rest;
    while (*end != 0 && *end != '=')
      ++end;
    auto length = static_cast<size_t>(end - state_.rest);
    Match match = this->match(length, isLongOnly);
    if (match.isAmbiguous)
      return ambiguous(prefix, length, match.found, isLongOnly);
    if (!match.found)
      return unknown(prefix, isLongOnly);
    ++state_.next;
    state_.rest = nullptr;
    return takeLong(*match.found, prefix, end);
  }

  int ambiguous(const char *prefix, size_t length, const option *first, bool isLongOnly) {
    if (says_)
      sayAmbiguous(argv_[0], prefix, state_.rest, length, longOptions_, first, isLongOnly);
    state_.rest += strlen(state_.rest);
    ++state_.next;
    state_.badOption = 0;
    return '?';
  }

  int unknown(const char *prefix, bool isLongOnly) {
    if (isLongOnly && argv_[state_.next][1] != '-' && strchr(letters_, *state_.rest))
      return -1;
    if (says_)
      sayOption(OptionMessage::Unknown, argv_[0], prefix, state_.rest);
    state_.rest = nullptr;
    ++state_.next;
    state_.badOption = 0;
    return '?';
  }

  int takeLong(const option &found, const char *prefix, char *end) {
    if (*end != 0 && found.has_arg == no_argument) {
      if (says_)
        sayOption(OptionMessage::NoArgument, argv_[0], prefix, found.name);
      state_.badOption = found.val;
      return '?';
    }
    if (*end != 0) {
      state_.argument = end + 1;
    } else if (found.has_arg == required_argument && state_.next < argc_) {
      state_.argument = argv_[state_.next++];
    } else if (found.has_arg == required_argument) {
      if (says_)
        sayOption(OptionMessage::NeedsLongArgument, argv_[0], prefix, found.name);
      state_.badOption = found.val;
      return letters_[0] == ':' ? ':' : '?';
    }
    if (longIndex_)
      *longIndex_ = static_cast<int>(&found - longOptions_);
    if (!found.flag)
      return found.val;
    *found.flag = found.val;
    return 0;
  }

  State &state_;
  int argc_;
  char **argv_;
  const char *letters_;
  const option *longOptions_;
  int *longIndex_;
  bool isLongOnly_;
  bool says_; ///< messages are wanted
  int result_ = -1;
};

int nextOption(int argc, char *const *argv, const char *letters, const option *longOptions,
               int *longIndex, bool isLongOnly, bool isPosix) {
  g_state.next = optind;
  int result =
      Scan(g_state, argc, const_cast<char **>(argv), letters, longOptions, longIndex, isLongOnly)
          .run(isPosix);
  optind = g_state.next;
  optarg = g_state.argument;
  optopt = g_state.badOption;
  return result;
}

} // namespace

CULPRIT_EXTERNAL int getopt(int argc, char *const *argv, const char *letters) {
  return CULPRIT_CALLED_BY_PROGRAM ? nextOption(argc, argv, letters, nullptr, nullptr, false, false)
                                   : CULPRIT_NEXT(getopt)(argc, argv, letters);
}

CULPRIT_EXTERNAL int __posix_getopt(int argc, char *const *argv, const char *letters) {
  return CULPRIT_CALLED_BY_PROGRAM ? nextOption(argc, argv, letters, nullptr, nullptr, false, true)
                                   : CULPRIT_NEXT(__posix_getopt)(argc, argv, letters);
}

CULPRIT_EXTERNAL int getopt_long(int argc, char *const *argv, const char *letters,
                                 const option *longOptions, int *longIndex) {
  return CULPRIT_CALLED_BY_PROGRAM
             ? nextOption(argc, argv, letters, longOptions, longIndex, false, false)
             : CULPRIT_NEXT(getopt_long)(argc, argv, letters, longOptions, longIndex);
}

CULPRIT_EXTERNAL int getopt_long_only(int argc, char *const *argv, const char *letters,
                                      const option *longOptions, int *longIndex) {
  return CULPRIT_CALLED_BY_PROGRAM
             ? nextOption(argc, argv, letters, longOptions, longIndex, true, false)
             : CULPRIT_NEXT(getopt_long_only)(argc, argv, letters, longOptions, longIndex);
}

} // namespace culprit
