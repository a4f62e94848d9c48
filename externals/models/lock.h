// One lock for what the models keep: short work, never nested, free in the child of a fork.
#ifndef CULPRIT_EXTERNALS_MODELS_LOCK_H
#define CULPRIT_EXTERNALS_MODELS_LOCK_H

namespace culprit {

void lockModels();
void unlockModels();

class ModelsGuard {
public:
  ModelsGuard() { lockModels(); }
  ~ModelsGuard() { unlockModels(); }
  ModelsGuard(const ModelsGuard &) = delete;
  ModelsGuard &operator=(const ModelsGuard &) = delete;
};

} // namespace culprit
#endif
