// Where the linker is told to put the sections of an analysis build (abi/memory_map.h).
//
// There are several ways, from the usual one on: each is for images that the one before has no room
// for. What is the program's moves before what is culprit's: a program with many globals gets more
// room for them, and only one that fills nearly all memory that code can address has its globals
// where the linker puts them. The way depends on nothing but the program's size, so that it is the
// same in every mode.
#ifndef CULPRIT_COMPILER_TWIN_SECTION_PLACES_H
#define CULPRIT_COMPILER_TWIN_SECTION_PLACES_H

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace culprit {

/// Options for the linker, one way after the other.
using SectionPlaces = std::vector<std::vector<std::string>>;

SectionPlaces executablePlaces();
/// A library is mapped where it was linked for, if the executable is non-PIE.
SectionPlaces libraryPlaces(size_t imageIndex, bool isLld);

/// Fails if the linker says that variables of culprit's own overlap each other.
void checkOwnOverlap(const std::string &linkerOutput);
/// Fails if variables of culprit's own run into the room of others, that none may have used yet.
void checkOwnRoom(const std::filesystem::path &executable);

} // namespace culprit
#endif
