// What the kernel leaves on the stack of a new program: the number of arguments, pointers to them
// and to the environment, the auxiliary vector, and behind it the strings.
//
// Runs before anything is relocated: see entry.cpp.
#ifndef CULPRIT_RUNTIME_ENTRY_BLOCK_H
#define CULPRIT_RUNTIME_ENTRY_BLOCK_H

#include <elf.h>
#include <stdint.h>

namespace culprit {

class EntryBlock {
public:
  explicit EntryBlock(uint64_t *stack);

  /// The stack pointer with which to start the program.
  uint64_t stack() const { return reinterpret_cast<uint64_t>(words_); }

  /// Space for a copy, in steps: where the stack proper starts does not depend on every byte of
  /// the environment.
  uint64_t room() const;

  /// Copies all into the `room()` below `end`. The host's own variable stays where it is; so it
  /// does not move what the program sees.
  void moveTo(uint64_t end);

  /// The host's words (runtime/start.cpp), or null.
  const char *hostWords() const;

  uint64_t auxiliary(uint64_t type) const;
  void setAuxiliary(uint64_t type, uint64_t value);

  /// After moveTo(): where things are now.
  const Elf64_auxv_t *auxiliaries() const { return auxiliaries_; }
  uint64_t auxiliarySize() const { return (auxiliaryCount_ + 1) * sizeof(Elf64_auxv_t); }
  uint64_t argumentsBegin() const { return argumentsBegin_; }
  uint64_t environmentBegin() const { return environmentBegin_; }
  uint64_t environmentEnd() const { return environmentEnd_; }

private:
  uint64_t vectorSize() const;
  uint64_t stringSize() const;
  void moveStrings(char **list, char *&to);
  void movePointedTo(char *&to);

  uint64_t *words_;
  char **arguments_;
  char **environment_;
  Elf64_auxv_t *auxiliaries_;
  uint64_t argumentCount_;
  uint64_t environmentCount_ = 0;
  uint64_t auxiliaryCount_ = 0;
  uint64_t argumentsBegin_ = 0;
  uint64_t environmentBegin_ = 0;
  uint64_t environmentEnd_ = 0;
};

/// Tells the kernel where arguments, environment and stack are, for /proc, and where the memory of
/// brk() is to start. Kernels that cannot do that (before 3.18, or without CHECKPOINT_RESTORE) go
/// on showing the first state of arguments and environment, and brk() starts anywhere.
void tellKernel(const EntryBlock &block);

/// Where the program asks for stacks that can be executed, slots are made so.
void allowExecution(const EntryBlock &block);

} // namespace culprit
#endif
