// Bitcode packed: each value of the bitstream, coded by how probable it is where it stands.
//
// LLVM's bitstream packs values into odd numbers of bits. A byte-wise compressor sees no repetition
// in that: zstd takes a third off. Here the stream is walked block by block and record by record,
// and each value is coded with what is known of it (history.h) by a model that has seen other
// modules (predictor.h). Unpacking walks the same way with values that the model decodes, and gives
// back the very bytes, abbreviations and offsets included.
#ifndef CULPRIT_COMPILER_EMBED_BITCODE_PACK_H
#define CULPRIT_COMPILER_EMBED_BITCODE_PACK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace culprit {

/// Packed `bitcode`; nothing if it is not a stream that unpacks to the same bytes.
std::optional<std::string> packBitcode(llvm::StringRef bitcode);

/// The bitcode, `size` bytes, or nothing if `packed` is damaged.
std::optional<std::string> unpackBitcode(llvm::StringRef packed, size_t size);

/// The file of prior.h, learned from bitcode, in that order.
std::string priorFrom(llvm::ArrayRef<std::string> modules);

} // namespace culprit
#endif
