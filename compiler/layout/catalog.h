// The catalog: the names by which a layout knows a program's globals and locals, and what they
// stand for in its twins.
#ifndef CULPRIT_COMPILER_LAYOUT_CATALOG_H
#define CULPRIT_COMPILER_LAYOUT_CATALOG_H

#include "compiler/layout/layout.h"
#include "compiler/memory/memory_table.h"

#include <map>
#include <string>
#include <vector>

namespace culprit {

/// One module of one image, in link order.
struct CatalogModule {
  std::string id;
  size_t image = 0;
  MemoryTable table;
};

/// Where a layout puts the frames of a module: one per shape.
using ModulePlacement = std::vector<FramePlacement>;

class Catalog {
public:
  Catalog(std::string program, std::vector<CatalogModule> modules);

  /// The order that a build without a layout has.
  Layout defaultLayout() const;

  /// Throws Failure (usage) when `layout` is one of another program, or names what this program
  /// does not have; `file` is for the message.
  void check(const Layout &layout, const std::string &file) const;

  /// Places the frames of a module as the layout says.
  ModulePlacement placeFrames(const Layout &layout, size_t module) const;

  /// A linker script that adds the layout's globals in their order, with guard words behind
  /// buffers, to the default layout of an image; empty when there is nothing to say. Thread-locals
  /// are ordered among themselves, without guard words: each thread has its own.
  std::string globalScript(const Layout &layout, size_t image) const;

  const std::vector<CatalogModule> &modules() const { return modules_; }

private:
  struct Place {
    size_t module;
    size_t index;
  };

  std::string functionName(const FrameShape &shape) const;
  std::vector<size_t> orderOf(const Layout &layout, const FrameShape &shape) const;

  std::string program_;
  std::vector<CatalogModule> modules_;
  std::map<std::string, std::vector<Place>> globals_;
  std::vector<std::string> globalOrder_;
  std::map<std::string, std::vector<Place>> functions_;
  std::map<std::string, std::string> onlyFile_; ///< linkage name to file; empty: several
};

/// The members of a frame as a layout names them, in the shape's order.
std::vector<std::string> memberNames(const FrameShape &shape);

} // namespace culprit
#endif
