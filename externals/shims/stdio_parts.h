// A program that uses one function of stdio gets all of them: libraries that it loads later may
// hand its streams to any.
//
// The archive's members are linked only as they are needed. So each file with functions of stdio
// defines a name here, and stream_list.cpp, which all of them need, refers to all names.
#ifndef CULPRIT_EXTERNALS_SHIMS_STDIO_PARTS_H
#define CULPRIT_EXTERNALS_SHIMS_STDIO_PARTS_H

namespace culprit {

// NOLINTBEGIN(bugprone-dynamic-static-initializers): constants, defined elsewhere
extern const char kStdioBlocks;
extern const char kStdioBytes;
extern const char kStdioCookie;
extern const char kStdioDatabases;
extern const char kStdioLines;
extern const char kStdioMounts;
extern const char kStdioOpen;
extern const char kStdioPopen;
extern const char kStdioPosition;
extern const char kStdioPrint;
extern const char kStdioScan;
extern const char kStdioStatus;
extern const char kStdioWide;
extern const char kStdioWidePrint;
extern const char kStdioWideScan;
// NOLINTEND(bugprone-dynamic-static-initializers)

} // namespace culprit
#endif
