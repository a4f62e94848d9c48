// A second wall: where the kernel has Landlock, it denies on its own what the host never lets pass.
#ifndef CULPRIT_SANDBOX_NOTIFY_LANDLOCK_H
#define CULPRIT_SANDBOX_NOTIFY_LANDLOCK_H

namespace culprit {

/// Takes from the calling thread, which must have given up new privileges, every right to change
/// files, to use TCP and to send signals out of the sandbox. Without Landlock nothing happens.
void denyWrites();

} // namespace culprit
#endif
