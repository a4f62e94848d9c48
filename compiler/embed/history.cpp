// See history.h; records and their operands are those of LLVM's BitcodeWriter.
#include "compiler/embed/history.h"
#include "llvm/Bitcode/LLVMBitCodes.h"

using namespace llvm;
using namespace llvm::bitc;

namespace culprit {
namespace {

uint64_t zigzag(uint64_t difference) {
  return (difference << 1) ^ (0 - (difference >> 63));
}
uint64_t unzigzag(uint64_t value) {
  return (value >> 1) ^ (0 - (value & 1));
}

constexpr unsigned kAllOperands = ~0u;
constexpr unsigned from(unsigned first) {
  return kAllOperands << first;
}
template <typename... Index> constexpr unsigned at(Index... index) {
  return ((1u << index) | ...);
}

/// Operands with a meaning, as a mask.
struct Rule {
  uint8_t block, code;
  Meaning meaning;
  unsigned operands;
};

constexpr Rule kRules[] = {
    {MODULE_BLOCK_ID, MODULE_CODE_GLOBALVAR, Meaning::NameOffset, at(0)},
    {MODULE_BLOCK_ID, MODULE_CODE_FUNCTION, Meaning::NameOffset, at(0)},
    {MODULE_BLOCK_ID, MODULE_CODE_ALIAS, Meaning::NameOffset, at(0)},
    {VALUE_SYMTAB_BLOCK_ID, VST_CODE_FNENTRY, Meaning::Step, at(0)},
    {VALUE_SYMTAB_BLOCK_ID, VST_CODE_FNENTRY, Meaning::BodyOffset, at(1)},
    {CONSTANTS_BLOCK_ID, CST_CODE_AGGREGATE, Meaning::StepInRecord, from(0)},
    {CONSTANTS_BLOCK_ID, CST_CODE_SETTYPE, Meaning::Plain, at(0)},

    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_LOAD, Meaning::Value, at(0)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_STORE, Meaning::Value, at(0, 1)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_GEP, Meaning::Value, from(2)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_BINOP, Meaning::Value, at(0, 1)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_UNOP, Meaning::Value, at(0)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_CAST, Meaning::Value, at(0)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_CMP2, Meaning::Value, at(0, 1)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_VSELECT, Meaning::Value, at(0, 1, 2)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_EXTRACTVAL, Meaning::Value, at(0)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_INSERTVAL, Meaning::Value, at(0, 1)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_RET, Meaning::Value, at(0)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_RESUME, Meaning::Value, at(0)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_CALL, Meaning::Value, from(3)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_INVOKE, Meaning::Value, from(5)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_INVOKE, Meaning::Place, at(2, 3)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_BR, Meaning::Place, at(0, 1)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_BR, Meaning::Value, at(2)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_SWITCH, Meaning::Value, at(1)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_INST_SWITCH, Meaning::Place, from(2) & 0x55555555},
    {FUNCTION_BLOCK_ID, FUNC_CODE_DEBUG_LOC, Meaning::Step, at(0, 2)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_DEBUG_RECORD_DECLARE, Meaning::Step, at(0, 1, 3)},
    {FUNCTION_BLOCK_ID, FUNC_CODE_DEBUG_RECORD_LABEL, Meaning::Step, at(0, 1)},

    {METADATA_BLOCK_ID, METADATA_VALUE, Meaning::Step, at(1)},
    {METADATA_BLOCK_ID, METADATA_NODE, Meaning::Reference, kAllOperands},
    {METADATA_BLOCK_ID, METADATA_DISTINCT_NODE, Meaning::Reference, kAllOperands},
    {METADATA_BLOCK_ID, METADATA_NAMED_NODE, Meaning::StepInRecord, kAllOperands},
    {METADATA_BLOCK_ID, METADATA_LOCATION, Meaning::Reference, at(3, 4)},
    {METADATA_BLOCK_ID, METADATA_LOCATION, Meaning::Step, at(1)},
    {METADATA_BLOCK_ID, METADATA_SUBRANGE, Meaning::Reference, at(1, 2, 3, 4)},
    {METADATA_BLOCK_ID, METADATA_ENUMERATOR, Meaning::Reference, at(2)},
    {METADATA_BLOCK_ID, METADATA_ENUMERATOR, Meaning::Step, at(3)},
    {METADATA_BLOCK_ID, METADATA_BASIC_TYPE, Meaning::Reference, at(2)},
    {METADATA_BLOCK_ID, METADATA_FILE, Meaning::Reference, at(1, 2, 4)},
    {METADATA_BLOCK_ID, METADATA_DERIVED_TYPE, Meaning::Reference, at(2, 3, 5, 6, 11, 13)},
    {METADATA_BLOCK_ID, METADATA_DERIVED_TYPE, Meaning::Step, at(4)},
    {METADATA_BLOCK_ID, METADATA_DERIVED_TYPE, Meaning::MemberOffset, at(9)},
    {METADATA_BLOCK_ID, METADATA_COMPOSITE_TYPE, Meaning::Reference,
     at(2, 3, 5, 6, 11, 13, 14, 15, 16, 17, 18, 19, 20, 21)},
    {METADATA_BLOCK_ID, METADATA_COMPOSITE_TYPE, Meaning::Step, at(4)},
    {METADATA_BLOCK_ID, METADATA_SUBROUTINE_TYPE, Meaning::Reference, at(2)},
    {METADATA_BLOCK_ID, METADATA_COMPILE_UNIT, Meaning::Reference,
     at(2, 3, 5, 7, 9, 10, 12, 13, 15)},
    {METADATA_BLOCK_ID, METADATA_SUBPROGRAM, Meaning::Reference,
     at(1, 2, 3, 4, 6, 8, 12, 13, 14, 15, 17, 18, 19)},
    {METADATA_BLOCK_ID, METADATA_SUBPROGRAM, Meaning::Step, at(5)},
    {METADATA_BLOCK_ID, METADATA_SUBPROGRAM, Meaning::ScopeLine, at(7)},
    {METADATA_BLOCK_ID, METADATA_LEXICAL_BLOCK, Meaning::Reference, at(1, 2)},
    {METADATA_BLOCK_ID, METADATA_LEXICAL_BLOCK, Meaning::Step, at(3)},
    {METADATA_BLOCK_ID, METADATA_LEXICAL_BLOCK_FILE, Meaning::Reference, at(1, 2)},
    {METADATA_BLOCK_ID, METADATA_NAMESPACE, Meaning::Reference, at(1, 2)},
    {METADATA_BLOCK_ID, METADATA_TEMPLATE_TYPE, Meaning::Reference, at(1, 2)},
    {METADATA_BLOCK_ID, METADATA_TEMPLATE_VALUE, Meaning::Reference, at(2, 3, 5)},
    {METADATA_BLOCK_ID, METADATA_GLOBAL_VAR, Meaning::Reference, at(1, 2, 3, 4, 6, 9, 10, 12)},
    {METADATA_BLOCK_ID, METADATA_GLOBAL_VAR, Meaning::Step, at(5)},
    {METADATA_BLOCK_ID, METADATA_LOCAL_VAR, Meaning::Reference, at(1, 2, 3, 5, 9)},
    {METADATA_BLOCK_ID, METADATA_LOCAL_VAR, Meaning::Step, at(4)},
    {METADATA_BLOCK_ID, METADATA_IMPORTED_ENTITY, Meaning::Reference, at(2, 3, 5, 6, 7)},
    {METADATA_BLOCK_ID, METADATA_IMPORTED_ENTITY, Meaning::Step, at(4)},
    {METADATA_BLOCK_ID, METADATA_GLOBAL_VAR_EXPR, Meaning::Reference, at(1, 2)},
    {METADATA_BLOCK_ID, METADATA_LABEL, Meaning::Reference, at(1, 2, 3)},
    {METADATA_BLOCK_ID, METADATA_LABEL, Meaning::Step, at(4)},
    {METADATA_BLOCK_ID, METADATA_GLOBAL_DECL_ATTACHMENT, Meaning::Step, at(0, 2)},
};

constexpr uint64_t kNearValues = 8, kNearNodes = 24;

} // namespace

std::unique_ptr<History::Row> History::newRow(unsigned block, unsigned code) {
  auto row = std::make_unique<Row>();
  for (const Rule &rule : kRules)
    if (rule.block == block && rule.code == code)
      for (unsigned i = 0; i < kOperands; ++i)
        if (rule.operands >> i & 1)
          (*row)[i].meaning = rule.meaning;
  (*row)[kLength].meaning = Meaning::Plain;
  return row;
}

void History::enterBlock(uint64_t id, size_t position) {
  if (id == FUNCTION_BLOCK_ID) {
    inFunction = true;
    bodyOffsets.push_back(position / 32);
    values = globals;
    places = 0;
    globalNodes = nodes;
    if (bodies < bodyTypes.size() && bodyTypes[bodies] < types.size())
      values += types[bodyTypes[bodies]].parameters;
    ++bodies;
  }
}

void History::leaveBlock(uint64_t id) {
  if (id != FUNCTION_BLOCK_ID)
    return;
  inFunction = false;
  nodes = globalNodes;
}

void History::beginRecord(uint64_t newBlock, uint64_t newCode, uint64_t count) {
  block = newBlock;
  code = newCode;
  operands = 0;
  previousOperand = 0;
  before = codes & 0xffff;
  before2 = count;
}

bool History::returnsVoid(uint64_t type) const {
  return type >= types.size() || types[type].result >= types.size() ||
         types[types[type].result].isVoid;
}

void History::endOfInstruction() {
  switch (code) {
  case FUNC_CODE_INST_CALL:
    values += !returnsVoid(kept[kept[1] >> CALL_FMF & 1 ? 3 : 2]);
    break;
  case FUNC_CODE_INST_INVOKE:
    values += !returnsVoid(kept[4]);
    ++places;
    break;
  case FUNC_CODE_INST_RET:
  case FUNC_CODE_INST_BR:
  case FUNC_CODE_INST_SWITCH:
  case FUNC_CODE_INST_UNREACHABLE:
  case FUNC_CODE_INST_RESUME:
  case FUNC_CODE_INST_INDIRECTBR:
    ++places;
    break;
  case FUNC_CODE_DECLAREBLOCKS:
  case FUNC_CODE_INST_STORE:
  case FUNC_CODE_INST_STOREATOMIC:
  case FUNC_CODE_INST_FENCE:
  case FUNC_CODE_OPERAND_BUNDLE:
  case FUNC_CODE_BLOCKADDR_USERS:
  case FUNC_CODE_DEBUG_LOC:
  case FUNC_CODE_DEBUG_LOC_AGAIN:
    break;
  default:
    values += code < FUNC_CODE_DEBUG_RECORD_VALUE;
  }
}

void History::endRecord() {
  codes = codes << 8 | (code & 0xff);
  switch (block) {
  case FUNCTION_BLOCK_ID:
    return endOfInstruction();
  case CONSTANTS_BLOCK_ID:
    (inFunction ? values : globals) += code != CST_CODE_SETTYPE;
    return;
  case TYPE_BLOCK_ID_NEW:
    if (code == TYPE_CODE_NUMENTRY || code == TYPE_CODE_STRUCT_NAME)
      return;
    types.push_back({code == TYPE_CODE_VOID, 0, 0});
    if (code == TYPE_CODE_FUNCTION && operands >= 2)
      types.back() = {false, uint32_t(kept[1]), operands - 2};
    return;
  case METADATA_BLOCK_ID:
    if (code == METADATA_STRINGS)
      nodes = strings = kept[0];
    else if (code != METADATA_NAME && code != METADATA_KIND && code != METADATA_NAMED_NODE &&
             code != METADATA_GLOBAL_DECL_ATTACHMENT && code != METADATA_INDEX_OFFSET &&
             code != METADATA_INDEX && code != METADATA_ARG_LIST)
      ++nodes;
    if (code == METADATA_DERIVED_TYPE) {
      memberScope = kept[5];
      memberEnd = kept[9] + kept[7];
    }
    return;
  case MODULE_BLOCK_ID:
    if (code != MODULE_CODE_GLOBALVAR && code != MODULE_CODE_FUNCTION &&
        code != MODULE_CODE_ALIAS && code != MODULE_CODE_IFUNC)
      return;
    ++globals;
    nextName = kept[0] + kept[1];
    if (code == MODULE_CODE_FUNCTION && kept[4] == 0)
      bodyTypes.push_back(uint32_t(kept[2]));
    return;
  default:
    return;
  }
}

/// What a value of this column is likely to be near.
uint64_t History::expected(const Column &column) const {
  switch (column.meaning) {
  case Meaning::Step:
    return column.lastValue;
  case Meaning::StepInRecord:
    return previousOperand + 1;
  case Meaning::Place:
    return places;
  case Meaning::ScopeLine:
    return kept[5];
  case Meaning::MemberOffset:
    return kept[1] == 13 && kept[5] == memberScope ? memberEnd : 0; // DW_TAG_member
  case Meaning::NameOffset:
    return nextName;
  case Meaning::BodyOffset:
    return bodiesNamed < bodyOffsets.size() ? bodyOffsets[bodiesNamed] : 0;
  default:
    return 0;
  }
}

uint64_t History::symbol(const Column &column, uint64_t value) const {
  if (column.meaning == Meaning::Plain)
    return value;
  if (column.meaning == Meaning::Reference)
    return reference(column, value);
  if (column.meaning != Meaning::Value)
    return zigzag(value - expected(column));
  if (value < kNearValues)
    return value * 4;
  if (value > values)
    return uint64_t(uint32_t(0 - value)) * 4 + 3; // forward
  uint64_t number = values - value;
  return number >= globals ? (number - globals) * 4 + 1 : number * 4 + 2;
}

uint64_t History::value(const Column &column, uint64_t symbol) const {
  if (column.meaning == Meaning::Plain)
    return symbol;
  if (column.meaning == Meaning::Reference)
    return referred(column, symbol);
  if (column.meaning != Meaning::Value)
    return expected(column) + unzigzag(symbol);
  uint64_t number = symbol / 4;
  switch (symbol % 4) {
  case 0:
    return number;
  case 1:
    return values - globals - number;
  case 2:
    return values - number;
  default:
    return uint32_t(0 - number);
  }
}

uint64_t History::reference(const Column &column, uint64_t value) const {
  if (value == 0)
    return 0;
  if (value == previousOperand + 1)
    return 1;
  if (value == column.lastValue)
    return 2;
  uint64_t number = value - 1;
  if (number < strings)
    return 3 + 4 * zigzag(number - nextString);
  if (number >= nodes)
    return 4 + 4 * (number - nodes);
  return nodes - number < kNearNodes ? 5 + 4 * (nodes - number) : 6 + 4 * number;
}

uint64_t History::referred(const Column &column, uint64_t symbol) const {
  if (symbol < 3)
    return symbol == 0 ? 0 : symbol == 1 ? previousOperand + 1 : column.lastValue;
  uint64_t number = (symbol - 3) / 4;
  switch ((symbol - 3) % 4) {
  case 0:
    return nextString + unzigzag(number) + 1;
  case 1:
    return nodes + number + 1;
  case 2:
    return nodes - number + 1;
  default:
    return number + 1;
  }
}

} // namespace culprit
