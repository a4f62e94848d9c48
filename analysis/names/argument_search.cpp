// See argument_search.h.
#include "analysis/names/argument_search.h"

#include "compiler/loader/borrowed.h"
#include "externals/policy/policy.h"

#include <algorithm>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace culprit {
using namespace llvm;

namespace {

constexpr std::string_view kRead[] = {"string", "wstring",  "strings", "in",
                                      "inout",  "reach-in", "format",  "scan"};
constexpr std::string_view kWritten[] = {"out", "inout", "reach-out"};
constexpr std::string_view kBoth[] = {"stream", "opaque", "reach-out"};
/// What pointers in it lead to counts, too.
constexpr std::string_view kLeadOn[] = {"strings", "reach-in", "reach-out"};

template <size_t size> bool isOneOf(const std::string_view (&words)[size], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

/// What the row says of an argument, or of those that follow a format.
std::string_view roleOf(const ExternalFunction &row, unsigned number) {
  if (number < row.arguments.size())
    return row.arguments[number].word;
  bool isScan = std::any_of(row.arguments.begin(), row.arguments.end(),
                            [](const ExternalRole &role) { return role.word == "scan"; });
  return isScan ? "out" : "string";
}

bool mayFollow(const ExternalFunction *row, unsigned number, std::optional<bool> isWrite) {
  if (!row || !isWrite)
    return true;
  std::string_view role = roleOf(*row, number);
  return isOneOf(kBoth, role) || (*isWrite ? isOneOf(kWritten, role) : isOneOf(kRead, role));
}

/// A variable, or a part of one, is some memory of the program in any case; but what it holds may
/// be wrong: a va_list, the line of getline().
bool mayBeWrong(const ExternalFunction *row, unsigned number, const Value *pointer) {
  const Value *base = pointer->stripInBoundsConstantOffsets();
  bool isPlaceOfVariable = isa<AllocaInst>(base) || isa<GlobalVariable>(base);
  return !isPlaceOfVariable || (row && isOneOf(kLeadOn, roleOf(*row, number)));
}

bool isAt(const CallBase &call, const AccessSite &site) {
  const DebugLoc &location = call.getDebugLoc();
  return location && location.getLine() == site.line && location.getCol() == site.column;
}

/// Empty: it is the program's own.
std::string nameOfLibraryFunction(const Function &callee) {
  StringRef name = callee.getName();
  if (name.consume_back(kBorrowedMark)) // a body in a header, such as that of atoi
    return policy().find(name.str()) ? name.str() : "";
  return callee.isDeclaration() && !callee.isIntrinsic() ? name.str() : "";
}

std::string nameOf(const CallBase &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::memcpy:
    return "memcpy";
  case Intrinsic::memmove:
    return "memmove";
  case Intrinsic::memset:
    return "memset";
  default:
    const Function *callee = call.getCalledFunction();
    return callee ? nameOfLibraryFunction(*callee) : "";
  }
}

} // namespace

std::optional<FollowedArguments> followedArgumentsAt(const Function &function,
                                                     const AccessSite &site) {
  FollowedArguments found;
  for (const Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    std::string name = call && isAt(*call, site) ? nameOf(*call) : "";
    if (name.empty())
      continue;
    if (!found.function.empty())
      return std::nullopt;
    found.function = name;
    const ExternalFunction *row = policy().find(name);
    for (unsigned i = 0; i < call->arg_size(); ++i)
      if (const Value *argument = call->getArgOperand(i); argument->getType()->isPointerTy() &&
                                                          mayFollow(row, i, site.isWrite) &&
                                                          mayBeWrong(row, i, argument))
        found.pointers.push_back(argument);
  }
  return found.pointers.empty() ? std::nullopt : std::optional(found);
}

} // namespace culprit
