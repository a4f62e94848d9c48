// See assembler.h. The gravest instruction decides.
#include "externals/policy/assembler.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace culprit {
namespace {

struct Idiom {
  std::string_view mnemonic;
  AssemblerEffect effect;
};

constexpr Idiom kIdioms[] = {
    {"rdtsc", AssemblerEffect::Time},         {"rdtscp", AssemblerEffect::Time},
    {"rdpmc", AssemblerEffect::Time},         {"rdrand", AssemblerEffect::Random},
    {"rdseed", AssemblerEffect::Random},      {"cpuid", AssemblerEffect::Machine},
    {"xgetbv", AssemblerEffect::Machine},     {"rdpid", AssemblerEffect::Machine},
    {"syscall", AssemblerEffect::SystemCall}, {"sysenter", AssemblerEffect::SystemCall},
    {"int", AssemblerEffect::SystemCall},     {"mfence", AssemblerEffect::Fence},
    {"lfence", AssemblerEffect::Fence},       {"sfence", AssemblerEffect::Fence},
    {"pause", AssemblerEffect::Fence},        {"lock", AssemblerEffect::Fence},
    {"nop", AssemblerEffect::Fence},          {"prefetchw", AssemblerEffect::Fence},
    {"prefetcht0", AssemblerEffect::Fence},   {"prefetcht1", AssemblerEffect::Fence},
    {"prefetcht2", AssemblerEffect::Fence},   {"prefetchnta", AssemblerEffect::Fence},
    {"serialize", AssemblerEffect::Fence},
};

/// Without the letters for operand sizes that AT&T syntax adds.
constexpr std::string_view kComputing[] = {
    "mov",   "movz",   "movs",  "movzx",   "movsx",  "movabs", "lea",  "add",  "adc",    "sub",
    "sbb",   "mul",    "imul",  "div",     "idiv",   "inc",    "dec",  "neg",  "not",    "and",
    "or",    "xor",    "test",  "cmp",     "shl",    "shr",    "sal",  "sar",  "rol",    "ror",
    "rcl",   "rcr",    "shld",  "shrd",    "bswap",  "bsf",    "bsr",  "bt",   "btc",    "btr",
    "bts",   "lzcnt",  "tzcnt", "popcnt",  "andn",   "bextr",  "blsi", "blsr", "blsmsk", "mulx",
    "adcx",  "adox",   "rorx",  "sarx",    "shlx",   "shrx",   "pdep", "pext", "crc32",  "cdq",
    "cqo",   "cwd",    "cld",   "clc",     "stc",    "cmc",    "sahf", "lahf", "fsqrt",  "fsin",
    "fcos",  "fabs",   "fchs",  "frndint", "fld",    "fst",    "fstp", "fild", "fist",   "fistp",
    "fldcw", "fnstcw", "fstcw", "stmxcsr", "ldmxcsr"};

template <size_t Count>
bool isOneOf(std::string_view word, const std::string_view (&words)[Count]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool isComputing(std::string_view mnemonic) {
  if (isOneOf(mnemonic, kComputing))
    return true;
  if (mnemonic.starts_with("set") || mnemonic.starts_with("cmov") || mnemonic.starts_with("j"))
    return true;
  std::string_view stem = mnemonic.substr(0, mnemonic.size() - 1);
  return std::string_view("bwlq").find(mnemonic.back()) != std::string_view::npos &&
         (isOneOf(stem, kComputing) || stem == "movz" || stem == "movs");
}

/// Instructions on vector registers: `paddq`, `vpxor`, `mulsd`, ...
bool isVector(std::string_view line) {
  return line.find("xmm") != std::string_view::npos || line.find("ymm") != std::string_view::npos ||
         line.find("zmm") != std::string_view::npos;
}

/// `movsb`, `stosq`: they walk through memory.
bool isStringInstruction(std::string_view line) {
  bool hasOperands = line.find_first_of(" \t") != std::string_view::npos;
  return !hasOperands && (line.starts_with("movs") || line.starts_with("cmps"));
}

AssemblerEffect effectOf(std::string_view line) {
  line = line.substr(0, line.find_last_not_of(" \t") + 1);
  // An old way to write `pause`.
  if (line == "rep" || line == "rep nop")
    return AssemblerEffect::Fence;
  if (isStringInstruction(line))
    return AssemblerEffect::Unknown;
  size_t end = std::min(line.find_first_of(" \t"), line.size());
  std::string mnemonic(line.substr(0, end));
  std::transform(mnemonic.begin(), mnemonic.end(), mnemonic.begin(),
                 [](unsigned char letter) { return std::tolower(letter); });
  for (const Idiom &idiom : kIdioms)
    if (mnemonic == idiom.mnemonic)
      return idiom.effect;
  if (mnemonic.starts_with("xchg") || mnemonic.starts_with("cmpxchg") ||
      mnemonic.starts_with("xadd"))
    return AssemblerEffect::Fence;
  if (isComputing(mnemonic) || isVector(line))
    return AssemblerEffect::Computes;
  return AssemblerEffect::Unknown;
}

/// Instructions without labels, comments, directives and space.
std::vector<std::string_view> instructionsOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t end = std::min(text.find_first_of(";\n"), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    size_t colon = line.find(':');
    if (colon != std::string_view::npos &&
        line.substr(0, colon).find_first_of(" \t%(") == std::string_view::npos)
      line.remove_prefix(colon + 1);
    size_t begin = line.find_first_not_of(" \t");
    if (begin != std::string_view::npos && line[begin] != '.')
      lines.push_back(line.substr(begin));
  }
  return lines;
}

} // namespace

AssemblerEffect assemblerEffect(std::string_view text, std::string_view constraints) {
  bool touchesMemory = constraints.find("~{memory}") != std::string_view::npos;
  AssemblerEffect gravest = AssemblerEffect::Computes;
  for (std::string_view line : instructionsOf(text))
    gravest = std::max(gravest, effectOf(line));
  // With that clobber it may access anything; an empty statement or a barrier does not.
  if (touchesMemory && gravest == AssemblerEffect::Computes)
    return instructionsOf(text).empty() ? AssemblerEffect::Fence : AssemblerEffect::Unknown;
  return gravest;
}

const char *effectWord(AssemblerEffect effect) {
  switch (effect) {
  case AssemblerEffect::Computes:
    return "computes with its operands";
  case AssemblerEffect::Fence:
    return "orders memory accesses";
  case AssemblerEffect::Time:
    return "reads the time";
  case AssemblerEffect::Random:
    return "reads random numbers";
  case AssemblerEffect::Machine:
    return "asks for the processor";
  case AssemblerEffect::SystemCall:
    return "calls the kernel";
  case AssemblerEffect::Unknown:
    break;
  }
  return "is not understood; a run of it cannot be recorded";
}

} // namespace culprit
