// Options and version scripts of recorded links.
#include "compiler/twin/link_options.h"
#include "compiler/twin/version_script.h"

#include <gtest/gtest.h>

using namespace culprit;

namespace {

struct OptionCase {
  std::vector<std::string> words;
  Fate fate;
  size_t length;
  std::string value;
};

TEST(LinkOption, Cases) {
  const OptionCase cases[] = {
      {{"-pie"}, Fate::Drop, 1, ""},
      {{"--pie", "a.o"}, Fate::Drop, 1, ""},
      {{"-s"}, Fate::Drop, 1, ""},
      {{"-o", "prog"}, Fate::Drop, 2, "prog"},
      {{"-oprog"}, Fate::Drop, 1, "prog"},
      {{"--output=prog"}, Fate::Drop, 1, "prog"},
      {{"-z", "defs"}, Fate::Drop, 2, "defs"},
      {{"-z", "now"}, Fate::Keep, 2, "now"},
      {{"-znow"}, Fate::Keep, 1, ""},
      {{"-T", "x.ld"}, Fate::File, 2, "x.ld"},
      {{"-Tx.ld"}, Fate::File, 1, "x.ld"},
      {{"--script=x.ld"}, Fate::File, 1, "x.ld"},
      {{"-Ttext=0x1000"}, Fate::Keep, 1, ""},
      {{"-Ttext-segment=0x1000"}, Fate::Keep, 1, ""},
      {{"--version-script", "x"}, Fate::VersionScript, 2, "x"},
      {{"-version-script=x"}, Fate::VersionScript, 1, "x"},
      {{"-rpath", "/x"}, Fate::Drop, 2, "/x"},
      {{"-rpath=/x"}, Fate::Drop, 1, "/x"},
      {{"-rpath-link", "/x"}, Fate::Keep, 2, "/x"},
      {{"-soname", "x"}, Fate::Drop, 2, "x"},
      {{"-hx.so"}, Fate::Drop, 1, "x.so"},
      {{"--hash-style=gnu"}, Fate::Keep, 1, ""},
      {{"-hash-style=gnu"}, Fate::Keep, 1, ""},
      {{"-plugin-opt=O2"}, Fate::Drop, 1, "O2"},
      {{"-plugin", "x.so"}, Fate::Drop, 2, "x.so"},
      {{"-m", "elf_x86_64"}, Fate::Keep, 2, "elf_x86_64"},
      {{"-e", "start"}, Fate::Entry, 2, "start"},
      {{"-estart"}, Fate::Entry, 1, "start"},
      {{"--entry=start"}, Fate::Entry, 1, "start"},
      {{"-export-dynamic"}, Fate::Keep, 1, ""},
      {{"-eh-frame-hdr"}, Fate::Keep, 1, ""},
      {{"--wrap=malloc"}, Fate::Keep, 1, "malloc"},
      {{"--wrap", "malloc"}, Fate::Keep, 2, "malloc"},
      {{"--defsym", "a=b"}, Fate::Keep, 2, "a=b"},
      {{"--defsym=a=b"}, Fate::Keep, 1, "a=b"},
      {{"--gc-sections"}, Fate::Keep, 1, ""},
      {{"-Map=x"}, Fate::Drop, 1, "x"},
      {{"-Bsymbolic"}, Fate::Keep, 1, ""},
      {{"-o"}, Fate::Drop, 1, ""},
      {{"-"}, Fate::Keep, 1, ""},
      {{"a.o"}, Fate::Keep, 1, ""},
      {{""}, Fate::Keep, 1, ""},
  };
  for (const OptionCase &test : cases) {
    LinkOption option = parseLinkOption(test.words, 0);
    EXPECT_EQ(option.fate, test.fate) << test.words[0];
    EXPECT_EQ(option.words, test.length) << test.words[0];
    EXPECT_EQ(option.value, test.value) << test.words[0];
    if (option.fate == Fate::Drop)
      continue;
    std::vector<std::string> again;
    appendLinkOption(option, option.value, again);
    EXPECT_EQ(again, std::vector(test.words.begin(), test.words.begin() + option.words));
  }
}

TEST(VersionScript, RuntimeStaysVisible) {
  EXPECT_EQ(exportFromVersionScript("{ local: *; };", "x;"), "{ global: x; local: *; };");
  EXPECT_EQ(exportFromVersionScript("V1 { global: a; local: *; };", "x;"),
            "V1 { global: x; a; local: *; };");
  EXPECT_EQ(exportFromVersionScript("{global :a;};", "x;"), "{global : x;a;};");
  EXPECT_EQ(exportFromVersionScript("V1 { a; b; };", "x;"), "V1 { x; a; b; };");
  EXPECT_EQ(exportFromVersionScript("V1 { };", "x;"), "V1 { global: x; };");
  EXPECT_EQ(exportFromVersionScript("/* { */ # {\n V { /* local: */ globally; };", "x;"),
            "/* { */ # {\n V { x; /* local: */ globally; };");
  EXPECT_EQ(exportFromVersionScript("", "x;"), "");
  EXPECT_EQ(exportFromVersionScript("/* open", "x;"), "/* open");
}

} // namespace
