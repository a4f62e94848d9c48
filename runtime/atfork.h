// What pthread_atfork calls; the latter is not in every libc that programs are linked with.
#ifndef CULPRIT_RUNTIME_ATFORK_H
#define CULPRIT_RUNTIME_ATFORK_H

extern "C" int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void *image);

#endif
