// Images made by hand: a section of entries in a minimal ELF file, whole and damaged.
#include "compiler/embed/entry.h"
#include "compiler/loader/program.h"
#include "support/diagnostics.h"

#include <cstring>
#include <elf.h>
#include <fstream>
#include <gtest/gtest.h>
#include <llvm/Config/llvm-config.h>
#include <unistd.h>

using namespace culprit;

namespace {

/// An executable without code whose second section is `.culprit.bc`.
std::string elfWith(const std::string &section) {
  const char names[] = "\0.culprit.bc\0.names";
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = EM_X86_64;
  header.e_ehsize = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  header.e_shoff = (sizeof header + section.size() + sizeof names + 7) & ~size_t{7};
  Elf64_Shdr headers[3] = {};
  headers[1].sh_name = 1;
  headers[1].sh_type = SHT_PROGBITS;
  headers[1].sh_offset = sizeof header;
  headers[1].sh_size = section.size();
  headers[2].sh_name = 13;
  headers[2].sh_type = SHT_STRTAB;
  headers[2].sh_offset = sizeof header + section.size();
  headers[2].sh_size = sizeof names;
  std::string file(reinterpret_cast<char *>(&header), sizeof header);
  file += section + std::string(names, sizeof names);
  file.resize(header.e_shoff);
  return file + std::string(reinterpret_cast<char *>(headers), sizeof headers);
}

class ImageTest : public testing::Test {
protected:
  ~ImageTest() override { std::filesystem::remove(path_); }

  Image load(const std::string &bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
    return loadImage(path_);
  }

  /// The message of the failure that loading ends in.
  std::string failure(const std::string &bytes) {
    try {
      load(bytes);
    } catch (const Failure &failure) {
      EXPECT_EQ(failure.code(), ExitCode::Usage);
      return failure.what();
    }
    return "no failure";
  }

  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("culprit-unit-" + std::to_string(getpid()));
};

std::string module(const std::string &text = "not bitcode, but nobody looks") {
  return makeEntry(culprit::abi::EntryKind::Module, text, LLVM_VERSION_MAJOR);
}

std::string linkRecord(const std::string &json) {
  return makeEntry(culprit::abi::EntryKind::Link, json);
}

TEST_F(ImageTest, ReadsEntriesInOrder) {
  Image image = load(elfWith(module("one") + module("two") +
                             linkRecord(R"({"output":"executable","linker":"/ld","argv":["a"]})")));
  ASSERT_EQ(image.modules().size(), 2U);
  EXPECT_EQ(payloadOf(image, *image.modules()[0]), "one");
  EXPECT_EQ(payloadOf(image, *image.modules()[1]), "two");
  ASSERT_TRUE(image.link.has_value());
  EXPECT_EQ(image.link->output, "executable");
  EXPECT_FALSE(image.isDynamic());
}

TEST_F(ImageTest, AFileWithoutOurSectionHasNoEntries) {
  EXPECT_TRUE(load(elfWith("")).entries.empty());
}

TEST_F(ImageTest, EveryCutOfTheSectionIsNoticed) {
  std::string section = module() + linkRecord(R"({"output":"executable"})");
  size_t whole = module().size();
  for (size_t size = 1; size < section.size(); ++size)
    if (size != whole)
      EXPECT_NE(failure(elfWith(section.substr(0, size))).find("is damaged"), std::string::npos)
          << "cut to " << size;
}

TEST_F(ImageTest, AFlippedBitOfALinkRecordIsNoticedOrChangesNothing) {
  std::string section = linkRecord(R"({"output":"executable","linker":"/ld"})");
  for (size_t bit = 0; bit < section.size() * 8; ++bit) {
    std::string damaged = section;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    bool isKind = bit / 8 >= 12 && bit / 8 < 16; // another kind may hold the same bytes
    if (!isKind && failure(elfWith(damaged)) == "no failure")
      EXPECT_EQ(load(elfWith(damaged)).link->linker, "/ld") << "bit " << bit;
  }
}

TEST_F(ImageTest, BitcodeOfAnotherLlvmIsNamed) {
  EXPECT_NE(failure(elfWith(makeEntry(culprit::abi::EntryKind::Module, "x", 7)))
                .find("bitcode of LLVM 7"),
            std::string::npos);
}

TEST_F(ImageTest, HostileLinkRecords) {
  for (const char *json : {"", "[]", "17", "{", "nonsense"})
    EXPECT_NE(failure(elfWith(linkRecord(json))).find("link record is not JSON"), std::string::npos)
        << json;
  EXPECT_NE(
      failure(elfWith(linkRecord(R"({"output":"executable","argv":["a"],"inputs":[{"arg":1}]})")))
          .find("names an argument that is not there"),
      std::string::npos);
  EXPECT_NE(failure(elfWith(linkRecord(R"({"argv":["a"],"inputs":[{"arg":-1,"path":"x"}]})")))
                .find("names an argument that is not there"),
            std::string::npos);
  EXPECT_NE(failure(elfWith(linkRecord(R"({"argv":["a"],"inputs":[{"arg":0,"bytes":"%%%"}]})")))
                .find("cannot be decoded"),
            std::string::npos);
  // Wrong types are like absent fields.
  Image image = load(elfWith(linkRecord(
      R"({"output":5,"argv":[1,{}],"inputs":[7,{"arg":0,"kind":[],"entries":{},"members":[3]}]})")));
  EXPECT_EQ(image.link->inputs.size(), 1U);
}

TEST_F(ImageTest, MissingModulesAreNamed) {
  std::string record =
      R"({"output":"executable","argv":["a.o"],"inputs":[{"arg":0,"kind":"object","path":"a.o","entries":["00"]}]})";
  EXPECT_NE(failure(elfWith(linkRecord(record))).find("lacks the bitcode of 'a.o'"),
            std::string::npos);
  record.replace(record.find("\"a.o\"]"), 5, "\"a.o\",\"--gc-sections\"");
  EXPECT_EQ(failure(elfWith(linkRecord(record))), "no failure");
}

TEST_F(ImageTest, EveryByteOfTheHeadersMayBeWrong) {
  std::string whole = elfWith(module());
  size_t headers = whole.size() - 3 * sizeof(Elf64_Shdr);
  for (size_t at = 0; at < whole.size(); at = at + 1 == sizeof(Elf64_Ehdr) ? headers : at + 1)
    for (unsigned char value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(value);
      failure(damaged); // any answer but a crash
    }
}

} // namespace
