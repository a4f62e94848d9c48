// A record that the program writes and the host reads: memory that both map.
#ifndef CULPRIT_CLI_SHARED_RECORD_H
#define CULPRIT_CLI_SHARED_RECORD_H

#include "abi/failure.h"
#include "abi/observed.h"
#include "abi/origins.h"

#include <string>

namespace culprit {

/// Memory that the program finds under a path for as long as this lives; nothing is left on disk.
class SharedMemory {
public:
  /// `name` is for messages. Throws Failure when the system has no memory for it.
  SharedMemory(const char *name, size_t size);
  ~SharedMemory();
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;

  const std::string &path() const { return path_; }
  int descriptor() const { return fd_; }

protected:
  void *memory() const { return memory_; }

private:
  int fd_ = -1;
  std::string path_; ///< names this process, not the one that reads it
  void *memory_ = nullptr;
  size_t size_;
};

template <typename Record> class SharedRecord : public SharedMemory {
public:
  explicit SharedRecord(const char *name) : SharedMemory(name, sizeof(Record)) {}
  Record &record() const { return *static_cast<Record *>(memory()); }
};

struct FailureFile : SharedRecord<abi::FailureRecord> {
  FailureFile() : SharedRecord("the failure record") {}
};

struct ObservedFile : SharedRecord<abi::ObservedRecord> {
  ObservedFile() : SharedRecord("the record of unknown functions") {}
};

struct SuppressionFile : SharedRecord<abi::SuppressionRecord> {
  SuppressionFile() : SharedRecord("the record of suppressions") {}
};

} // namespace culprit
#endif
