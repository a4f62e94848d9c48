// Gives every site of a pristine module its number; see site_table.h.
#ifndef CULPRIT_COMPILER_SITES_NUMBERING_H
#define CULPRIT_COMPILER_SITES_NUMBERING_H

#include "compiler/sites/site_table.h"

#include <llvm/IR/Module.h>
#include <optional>

namespace culprit {

/// Metadata kind that carries a site's number on its instruction.
inline constexpr char kSiteMetadata[] = "culprit.site";

/// Whether sites of this function are numbered: it has a body of its own.
bool hasSites(const llvm::Function &function);

/// Builds the table, and with `attach` marks each instruction with its number. The module must be
/// as culprit-cc stored it; blocks are ended at calls of the exec family.
SiteTable numberSites(llvm::Module &module, bool attach);

/// The number that numberSites attached, if any.
std::optional<uint32_t> siteOf(const llvm::Instruction &instruction);

/// Whether this is the slot in which clang keeps where to go after the clean-ups of a scope:
/// constants go in, a switch or a comparison takes them out, and no variable is declared there.
bool isCleanupSlot(const llvm::Value *pointer);

/// Puts `site` on an instruction that stands for it.
void attachSite(llvm::Instruction &instruction, uint32_t site);

} // namespace culprit
#endif
