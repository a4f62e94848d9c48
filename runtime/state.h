// Included first into every file of the runtime: its variables go into sections of their own, which
// are linked far from the program's (abi/memory_map.h), so that no overflow of the program's data
// reaches them. So does its code: a recording tells the runtime's system calls from the program's
// by where they come from (runtime/recorder/dispatch.cpp).
#ifndef CULPRIT_RUNTIME_STATE_H
#define CULPRIT_RUNTIME_STATE_H

#pragma clang section bss = "culprit_state" data = "culprit_state_data" text = "culprit_text"

#endif
