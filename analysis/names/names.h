// Names for addresses: what a person would call a byte of the analysed process.
//
//     `config.limits[2].max`          a global
//     `tmp` in `main`                 a local, in a frame
//     3 bytes past `name` (32 bytes)  a stray address
//     `node->next` of the heap block of 24 bytes allocated at list.c:40
//
// Everything that may be missing may be: without a record there are no frames and blocks, without
// a reader no containers, without debug information the names of symbols.
#ifndef CULPRIT_ANALYSIS_NAMES_NAMES_H
#define CULPRIT_ANALYSIS_NAMES_NAMES_H

#include "abi/failure.h"
#include "analysis/names/access_search.h"
#include "analysis/names/allocation.h"
#include "analysis/names/debug_image.h"
#include "analysis/names/memory_reader.h"
#include "analysis/names/modules.h"
#include "analysis/names/placed_frames.h"
#include "compiler/twin/build.h"

#include <functional>
#include <map>

namespace culprit {

/// An image of the analysed process.
struct LoadedImage {
  std::filesystem::path path;
  uint64_t base = 0; ///< load address minus link address
};

/// The images of an analysis build, where the record says that they were loaded.
std::vector<LoadedImage> loadedImages(const Build &build, const abi::FailureRecord *record);

/// A thread's block of an image's thread-local variables.
struct ThreadBlock {
  size_t image = 0; ///< index of the loaded images
  uint32_t thread = 0;
  uint64_t address = 0;
};

/// Memory that the runtime or the system set up: `argv[1]`, `environ`, the mapping of a library.
struct KnownRange {
  std::string name;
  uint64_t address = 0, size = 0;
  uint64_t elementSize = 0;   ///< 0: a whole that has no elements, such as "libc.so.6's memory"
  bool isAboveFrames = false; ///< what lies below has nothing to do with it
};

enum class MemoryKind { None, Null, Global, ThreadLocal, Local, Heap, Range, Code, Stack, Image };

enum class Position { Inside, Past, Before };

/// A name as data, with its text.
struct AddressName {
  MemoryKind kind = MemoryKind::None;
  std::string object;     ///< the variable, or of blocks the pointer; empty: neither has a name
  std::string expression; ///< of the part that the address is in; empty: in none that has a name
  Position position = Position::Inside;
  uint64_t distance = 0; ///< bytes from the object's end (0: just past it) or to its start
  uint64_t address = 0;  ///< of the object
  uint64_t size = 0;     ///< of the object
  std::string text;      ///< all of it
};

/// What the source may access at a place.
struct AccessExpression {
  std::string text;
  bool isVirtualCall = false; ///< the access finds out which function `text` calls
  bool operator==(const AccessExpression &) const = default;
};

/// Pointers one of which a function of a library followed.
struct ArgumentExpressions {
  std::string function;
  std::vector<std::string> texts;
};

class Names {
public:
  /// `program` (for what needs the stored bitcode), `frames` and `reader` may be null; all must
  /// outlive this.
  Names(const Program *program, std::vector<LoadedImage> images,
        const PlacedFrames *frames = nullptr, const MemoryReader *reader = nullptr);
  ~Names();

  void addThreadBlock(const ThreadBlock &block);
  void addRange(const KnownRange &range);
  /// Called on every place that is read from debug information: lines may stand for something else.
  using PlaceResolver = std::function<void(SourcePlace &)>;
  void setPlaceResolver(PlaceResolver resolver) { resolver_ = std::move(resolver); }
  /// For tests: a module beside those of the program.
  PristineModules &modules() { return *modules_; }

  /// `accessSize`, where it is not 0, decides between members of a union.
  AddressName name(uint64_t address, const abi::FailureRecord *record = nullptr,
                   uint64_t accessSize = 0);
  std::string describe(uint64_t address, const abi::FailureRecord *record = nullptr);

  /// The expressions that may be accessed at a place of the source: more than one where nothing
  /// tells them apart, none where one of them cannot be written down.
  std::vector<AccessExpression> expressionsAt(const AccessSite &site);
  /// The only one; none where it is in doubt.
  std::optional<std::string> expressionAt(const AccessSite &site);
  /// What a function that is called there, and not the program's, may have followed; none where
  /// that is in doubt.
  std::optional<ArgumentExpressions> argumentsAt(const AccessSite &site);
  /// The pointer that is called through there: "command->run".
  std::optional<std::string> calleeAt(const AccessSite &site);
  /// The same for a numbered site (compiler/sites) of a module, by its place in the order of the
  /// program's images and their modules.
  std::optional<std::string> expressionOfSite(size_t module, uint32_t site, bool isWrite);
  /// The places of a code address, innermost first; of a return address minus one, its call.
  std::vector<SourcePlace> placesOf(uint64_t pc);

private:
  class Search; ///< for one address; address_search.h

  struct OpenImage {
    LoadedImage loaded;
    std::unique_ptr<DebugImage> image;
  };

  const SourceType *findDefinition(const std::string &name);
  /// The class that a virtual table is of; null: there is none at the address.
  const SourceType *findClass(uint64_t table);
  const SourceType *typeOfMember(const PlacedFrame &shape, const PlacedMember &member);
  const SourceType *findVariableArray(const PlacedFrame &shape, std::string &name);
  std::vector<SourcePlace> placesOfCallers(const uint64_t *callers);

  std::vector<OpenImage> images_;
  PlaceResolver resolver_;
  const PlacedFrames *frames_;
  const MemoryReader *reader_;
  std::vector<ThreadBlock> threadBlocks_;
  std::vector<KnownRange> ranges_;
  std::shared_ptr<PristineModules> modules_;
  DITypes types_;
  std::map<std::pair<const PlacedFrame *, const PlacedMember *>, const SourceType *> memberTypes_;
};

} // namespace culprit
#endif
