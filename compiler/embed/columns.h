// Bitcode taken apart into columns, so that it compresses.
//
// LLVM's bitstream packs values into odd numbers of bits. A byte-wise compressor sees no repetition
// in that: zstd takes a third off. Here the stream is walked block by block and record by record,
// and each value goes to the column of its block, record code and operand index, in whole bytes, as
// itself or as the difference to the one before, whichever is more regular. The columns compress to
// about half of what zstd makes of the bitcode. Decoding walks the same way with values taken from
// the columns and gives back the very bytes, abbreviations and offsets included.
#ifndef CULPRIT_COMPILER_EMBED_COLUMNS_H
#define CULPRIT_COMPILER_EMBED_COLUMNS_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace culprit {

/// The columns of `bitcode`; nothing if it is not a stream that decodes to the same bytes.
std::optional<std::string> bitcodeToColumns(llvm::StringRef bitcode);

/// The bitcode, `size` bytes, or nothing if `columns` is damaged.
std::optional<std::string> columnsToBitcode(llvm::StringRef columns, size_t size);

} // namespace culprit
#endif
