// See terminate.h. The runtime must not pull the C++ library into C programs: its symbols are weak
// here, and its objects are read by their layout in the Itanium ABI.
#include "runtime/terminate.h"

#include "runtime/record.h"
#include "runtime/thrown.h"

#include <string.h>

using TerminateHandler = void (*)();

/// std::type_info: a table of virtual functions, then the name.
struct TypeInfo {
  void *const *functions;
  const char *name;
};

/// libstdc++'s __cxa_exception; the object follows it.
struct ExceptionHeader {
  void *typeOrObject; ///< of a dependent exception (rethrown from a std::exception_ptr): the object
  void *unused[4];
  int counts[2];
  void *handler[4];
  uint64_t exceptionClass;
  void *unwinder[3];
};
static_assert(sizeof(ExceptionHeader) == 112);

struct ExceptionGlobals {
  ExceptionHeader *caught;
};

extern "C" {
__attribute__((weak)) TerminateHandler _ZSt13set_terminatePFvvE(TerminateHandler handler);
__attribute__((weak)) TypeInfo *__cxa_current_exception_type();
__attribute__((weak)) ExceptionGlobals *__cxa_get_globals();
__attribute__((weak)) extern TypeInfo _ZTISt9exception;
}

namespace culprit {
namespace {

constexpr uint64_t kGnuClass = 0x474e'5543'432b'2b00; ///< "GNUCC++\0"
constexpr unsigned kDoCatch = 4;                      ///< std::type_info::__do_catch
constexpr unsigned kWhat = 2;                         ///< std::exception::what

TerminateHandler g_next;

void *thrownObject() {
  ExceptionHeader *header = __cxa_get_globals ? __cxa_get_globals()->caught : nullptr;
  if (!header || (header->exceptionClass & ~uint64_t{1}) != kGnuClass)
    return nullptr;
  return (header->exceptionClass & 1) != 0 ? header->typeOrObject : header + 1;
}

/// what() of the exception in flight, or null if it is no std::exception.
const char *whatOf(const TypeInfo *type) {
  void *object = thrownObject();
  if (!object || !&_ZTISt9exception)
    return nullptr;
  using DoCatch = bool (*)(const TypeInfo *, const TypeInfo *, void **, unsigned);
  auto doCatch = reinterpret_cast<DoCatch>(_ZTISt9exception.functions[kDoCatch]);
  if (!doCatch(&_ZTISt9exception, type, &object, 1))
    return nullptr;
  using What = const char *(*)(void *);
  return reinterpret_cast<What>((*static_cast<void ***>(object))[kWhat])(object);
}

/// "TYPE\nWHAT", the type as its mangled name.
void describeException(abi::FailureRecord &record, const TypeInfo *type) {
  appendMessage(record, type->name[0] == '*' ? type->name + 1 : type->name);
  if (const char *what = whatOf(type)) {
    appendMessage(record, "\n");
    appendMessage(record, what);
  }
}

void onTerminate() {
  const TypeInfo *type = __cxa_current_exception_type ? __cxa_current_exception_type() : nullptr;
  Registers registers = registersHere();
  abi::FailureRecord *record =
      claimRecord(type ? abi::FailureKind::UncaughtException : abi::FailureKind::Terminate,
                  registers[kStackPointer]);
  if (record) {
    recordPlace(*record, registers);
    if (type) {
      describeException(*record, type);
      record->throwCallerCount = callersOfThrow(thrownObject(), record->throwCallers);
    }
  }
  g_next();
}

} // namespace

void watchTerminate() {
  if (_ZSt13set_terminatePFvvE)
    g_next = _ZSt13set_terminatePFvvE(onTerminate);
}

} // namespace culprit
