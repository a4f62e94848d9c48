// errno between the program and libc: see error_cells.cpp.
#ifndef CULPRIT_EXTERNALS_MODELS_ERROR_CELLS_H
#define CULPRIT_EXTERNALS_MODELS_ERROR_CELLS_H

namespace culprit {

/// Before a call of libc that looks at errno without having set it: lets libc see the program's.
void showErrorToLibc();

} // namespace culprit
#endif
