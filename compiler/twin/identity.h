// Who made a cache file: part of every cache key, so that another culprit makes its own.
#ifndef CULPRIT_COMPILER_TWIN_IDENTITY_H
#define CULPRIT_COMPILER_TWIN_IDENTITY_H

#include <filesystem>
#include <string>

namespace culprit {

/// The build id that the linker gave this very tool.
const std::string &toolIdentity();

/// Hash of the code that makes twins, which several tools contain. The build writes it
/// (compiler/CMakeLists.txt).
const std::string &compilerIdentity();

/// Hash of the runtime library and all that is linked with it.
const std::string &runtimeIdentity();

/// What every executable gets, and what dynamic ones get besides.
std::filesystem::path runtimeArchive();
std::filesystem::path dynamicArchive();
/// What executables get in modes that record.
std::filesystem::path recorderArchive();
/// What stands in for libc in dynamic executables: an archive to take from as needed.
std::filesystem::path externalsArchive();
/// What stands in for libc's memory and string functions, in modes that follow them.
std::filesystem::path instrumentedArchive();
/// The shims of the two as bitcode, under the names of their members.
std::filesystem::path externalsBitcode();
std::filesystem::path instrumentedBitcode();
/// What stands in for libstdc++'s shared library in such modes; only as bitcode.
std::filesystem::path cppBitcode();
/// Variables of libstdc++ that are the program's; linked in front of it.
std::filesystem::path cppVariablesArchive();
/// The object in front of all others of an executable.
std::filesystem::path frontObject();
/// The object linked into every image, also into shared libraries.
std::filesystem::path imageObject();

} // namespace culprit
#endif
