// See expression.h. Places are here, values in expression_values.cpp.
#include "analysis/names/expression.h"

#include "analysis/names/expression_limit.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace culprit {
using namespace llvm;

namespace {

struct Declaration {
  const DILocalVariable *variable;
  const DIExpression *expression;
};

/// The variable that lives where `value` points to.
std::optional<Declaration> declarationOf(Value *value) {
  for (DbgVariableRecord *record : findDVRDeclares(value))
    if (!record->getVariable()->isArtificial() || record->getVariable()->getName() == "this")
      return Declaration{record->getVariable(), record->getExpression()};
  for (DbgDeclareInst *declare : findDbgDeclares(value))
    if (!declare->getVariable()->isArtificial() || declare->getVariable()->getName() == "this")
      return Declaration{declare->getVariable(), declare->getExpression()};
  return std::nullopt;
}

/// Which bits of the storage unit a load's users take out of it: (first, count).
std::optional<std::pair<unsigned, unsigned>> bitsTaken(const LoadInst &load) {
  if (!load.getType()->isIntegerTy())
    return std::nullopt;
  unsigned width = load.getType()->getIntegerBitWidth(), first = 0, count = width;
  const Value *value = &load;
  while (value->hasOneUse()) {
    auto *operation = dyn_cast<BinaryOperator>(*value->user_begin());
    auto *by = operation ? dyn_cast<ConstantInt>(operation->getOperand(1)) : nullptr;
    if (!by)
      break;
    uint64_t amount = by->getValue().getLimitedValue(width);
    if (operation->getOpcode() == Instruction::Shl)
      count -= amount; // the shift right that follows says where they begin
    else if (operation->getOpcode() == Instruction::AShr && count < width)
      first = count - (width - amount), count = width - amount;
    else if (operation->getOpcode() == Instruction::LShr ||
             operation->getOpcode() == Instruction::AShr)
      first = amount, count = width - amount;
    else if (operation->getOpcode() == Instruction::And && by->getValue().isMask())
      return std::pair{first, by->getValue().countr_one()};
    else
      break;
    value = operation;
  }
  return std::pair{first, count};
}

/// Which bits a store changes: those that the mask of what was there before takes out.
std::optional<std::pair<unsigned, unsigned>> bitsChanged(const StoreInst &store) {
  auto *merged = dyn_cast<BinaryOperator>(store.getValueOperand());
  if (!merged)
    return std::nullopt;
  const Value *parts[] = {merged, merged->getOperand(0), merged->getOperand(1)};
  for (const Value *operand : parts) {
    auto *kept = dyn_cast<BinaryOperator>(operand);
    if (!kept || kept->getOpcode() != Instruction::And || !isa<LoadInst>(kept->getOperand(0)))
      continue;
    if (auto *mask = dyn_cast<ConstantInt>(kept->getOperand(1))) {
      APInt changed = ~mask->getValue();
      return std::pair{changed.countr_zero(), changed.popcount()};
    }
  }
  return std::nullopt;
}

} // namespace

Expressions::Expressions(const Function &function, DITypes &types)
    : function_(function), layout_(function.getParent()->getDataLayout()), types_(types) {}

uint64_t Expressions::sizeOf(const Type *type) const {
  return layout_.getTypeAllocSize(const_cast<Type *>(type)).getKnownMinValue();
}

std::optional<PlaceExpression> Expressions::placeOf(const Value *pointer) const {
  Limit limit(depth_);
  if (limit.isReached())
    return std::nullopt;
  if (auto *global = dyn_cast<GlobalVariable>(pointer))
    return placeOfGlobal(*global);
  if (auto *element = dyn_cast<GEPOperator>(pointer))
    return placeOfElement(*element);
  if (isa<AllocaInst>(pointer) || isa<Argument>(pointer))
    return placeOfDeclared(pointer);
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(pointer))
    switch (intrinsic->getIntrinsicID()) {
    case Intrinsic::threadlocal_address:
    case Intrinsic::launder_invariant_group:
    case Intrinsic::strip_invariant_group:
    case Intrinsic::ptr_annotation:
      return placeOf(intrinsic->getArgOperand(0));
    default:
      return std::nullopt;
    }
  std::optional<ValueExpression> value = valueOf(pointer);
  if (!value)
    return std::nullopt;
  bool isReference = value->type && value->type->kind == TypeKind::Reference;
  return PlaceExpression{
      {value->text, !isReference}, value->type ? value->type->target() : nullptr, std::nullopt};
}

std::optional<PlaceExpression> Expressions::placeOfGlobal(const GlobalVariable &global) const {
  SmallVector<DIGlobalVariableExpression *, 1> infos;
  global.getDebugInfo(infos);
  if (!infos.empty() && !infos[0]->getVariable()->getName().empty()) {
    const DIGlobalVariable *variable = infos[0]->getVariable();
    return PlaceExpression{{variable->getName().str(), false}, types_.get(variable->getType()), {}};
  }
  if (global.isConstant() || !global.hasName())
    return std::nullopt;
  return PlaceExpression{{global.getName().str(), false}, nullptr, {}};
}

std::optional<PlaceExpression> Expressions::placeOfDeclared(const Value *value) const {
  std::optional<Declaration> declaration = declarationOf(const_cast<Value *>(value));
  if (!declaration)
    return std::nullopt;
  const SourceType *type = types_.get(declaration->variable->getType());
  std::string name = declaration->variable->getName().str();
  if (declaration->expression->getNumElements() == 0)
    return PlaceExpression{{name, false}, type, {}};
  return std::nullopt;
}

/// Whether a stored pointer stands for a local of indirect kind (`dbg_declare` with a deref).
static std::optional<Declaration> indirectOf(const Value *slot) {
  std::optional<Declaration> declaration = declarationOf(const_cast<Value *>(slot));
  if (declaration && declaration->expression->getNumElements() == 1 &&
      declaration->expression->getElement(0) == dwarf::DW_OP_deref)
    return declaration;
  return std::nullopt;
}

std::optional<PlaceExpression> Expressions::placeOfElement(const GEPOperator &element) const {
  const Value *pointer = element.getPointerOperand();
  std::optional<PlaceExpression> place;
  auto *load = dyn_cast<LoadInst>(pointer);
  if (std::optional<Declaration> indirect =
          load ? indirectOf(load->getPointerOperand()) : std::nullopt)
    place = PlaceExpression{{indirect->variable->getName().str(), false},
                            types_.get(indirect->variable->getType()),
                            {}};
  else
    place = placeOf(pointer);
  if (!place || place->bitFieldUnit)
    return std::nullopt;
  place = stepFirst(element, fit(*place, element.getSourceElementType()));
  const Type *type = element.getSourceElementType();
  for (auto index = element.idx_begin() + 1; place && index != element.idx_end(); ++index) {
    if (auto *record = dyn_cast<StructType>(type)) {
      unsigned number = cast<ConstantInt>(*index)->getZExtValue();
      type = record->getElementType(number);
      uint64_t offset =
          layout_.getStructLayout(const_cast<StructType *>(record))->getElementOffset(number);
      place = stepField(*place, offset, sizeOf(type));
    } else {
      type = type->isArrayTy() ? type->getArrayElementType()
                               : cast<VectorType>(type)->getElementType();
      auto *constant = dyn_cast<ConstantInt>(*index);
      if (place->type && place->type->kind == TypeKind::Array &&
          place->type->element->size == sizeOf(type))
        place =
            PlaceExpression{place->subject.element(indexText(*index)), place->type->element, {}};
      else if (!constant || !constant->isZero())
        place = std::nullopt;
    }
  }
  return place;
}

/// The first index: pointer arithmetic in units of the source element type.
std::optional<PlaceExpression> Expressions::stepFirst(const GEPOperator &element,
                                                      const PlaceExpression &base) const {
  const Value *index = *element.idx_begin();
  auto *constant = dyn_cast<ConstantInt>(index);
  uint64_t unit = sizeOf(element.getSourceElementType());
  bool isZero = constant && constant->isZero();
  if (isZero && (element.getNumIndices() > 1 || !base.type || base.type->isAggregate()))
    if (!base.type || base.type->kind != TypeKind::Array || element.getNumIndices() > 1)
      return base;
  if (base.type && base.type->kind == TypeKind::Array && base.type->element->size == unit)
    return PlaceExpression{base.subject.element(indexText(index)), base.type->element, {}};
  if (base.subject.isPointer && (!base.type || base.type->size == unit)) {
    if (!base.type && unit != 1)
      return std::nullopt;
    return PlaceExpression{
        Subject{base.subject.text, false}.element(indexText(index)), base.type, {}};
  }
  if (unit == 1 && base.type)
    return stepBytes(base, index);
  return std::nullopt;
}

/// An offset in bytes into something that is larger: constants from folding, or a cast.
std::optional<PlaceExpression> Expressions::stepBytes(const PlaceExpression &base,
                                                      const Value *index) const {
  auto *constant = dyn_cast<ConstantInt>(index);
  if (!constant || constant->isNegative())
    return std::nullopt;
  uint64_t offset = constant->getZExtValue();
  if (offset >= base.type->size && !base.type->endsOpen())
    return std::nullopt;
  Path path = pathInto(*base.type, offset, base.subject);
  if (path.isPadding || path.rest || !path.internal.empty() || !path.type)
    return std::nullopt;
  return PlaceExpression{path.subject, path.type, {}};
}

/// Member of a record, by where and how large LLVM's element is.
std::optional<PlaceExpression> Expressions::stepField(const PlaceExpression &base, uint64_t offset,
                                                      uint64_t size) const {
  if (!base.type || !base.type->hasFields())
    return std::nullopt;
  const SourceField *best = nullptr;
  for (const SourceField &field : base.type->fields) {
    if (field.isBitField) {
      if (field.bitOffset < (offset + size) * 8 && field.bitOffset + field.bitSize > offset * 8)
        return PlaceExpression{base.subject, base.type, offset};
      continue;
    }
    if (field.offset() == offset && (!best || field.type->size == size))
      best = &field;
  }
  if (!best)
    return std::nullopt;
  if (best->name.empty() || best->isBase)
    return PlaceExpression{base.subject, best->type, {}};
  bool isCapture = base.subject.text == "this" && base.type->name.empty(); // a lambda
  return PlaceExpression{
      isCapture ? Subject{best->name, false} : base.subject.field(best->name), best->type, {}};
}

/// The only member at the start of a record or union for which `fits` holds.
template <typename Fits>
static const SourceField *onlyFirst(const SourceType &type, const Fits &fits) {
  const SourceField *only = nullptr;
  for (const SourceField &field : type.fields) {
    if (field.bitOffset != 0 || field.isBitField || !fits(*field.type))
      continue;
    if (only)
      return nullptr;
    only = &field;
  }
  return only;
}

static PlaceExpression memberOf(const PlaceExpression &place, const SourceField &field) {
  bool isTransparent = field.name.empty() || field.isBase;
  return {isTransparent ? place.subject : place.subject.field(field.name), field.type, {}};
}

/// Whether an aggregate has the shape of LLVM's type.
static bool hasShape(const SourceType &type, const Type *llvmType, uint64_t size) {
  if (llvmType->isArrayTy())
    return type.kind == TypeKind::Array && (type.size == size || type.isOpenEnded);
  return type.size == size && (type.hasFields() == llvmType->isStructTy());
}

/// An aggregate is stepped into, but the place found is a larger one: its first part is meant, for
/// which clang emits no getelementptr (members of unions) or LLVM folds it away (globals).
PlaceExpression Expressions::fit(PlaceExpression place, const Type *wanted) const {
  if (!wanted->isStructTy() && !wanted->isArrayTy())
    return place;
  uint64_t size = sizeOf(wanted);
  for (PlaceExpression part = place; part.type && part.type->isAggregate();) {
    if (hasShape(*part.type, wanted, size))
      return part;
    if (part.type->kind == TypeKind::Array)
      break;
    const SourceField *next =
        onlyFirst(*part.type, [&](const SourceType &type) { return hasShape(type, wanted, size); });
    if (!next)
      next = onlyFirst(*part.type, [&](const SourceType &type) {
        return type.isAggregate() && type.size >= size;
      });
    if (!next)
      break;
    part = memberOf(part, *next);
  }
  return place;
}

/// The same where a scalar is accessed.
std::optional<PlaceExpression> Expressions::narrow(PlaceExpression place,
                                                   const Type *access) const {
  if (!place.type || !access->isSingleValueType())
    return place;
  uint64_t size = layout_.getTypeStoreSize(const_cast<Type *>(access)).getKnownMinValue();
  auto isLike = [&](const SourceType &type) {
    return type.isScalar() && type.size == size &&
           (type.kind == TypeKind::Float) == access->isFloatingPointTy() &&
           (type.kind == TypeKind::Pointer) == access->isPointerTy();
  };
  while (place.type->isAggregate()) {
    if (place.type->kind != TypeKind::Union && place.type->size == size)
      return place; // passed in a register as a whole
    if (place.type->kind == TypeKind::Array) {
      if (place.type->element->size == 0)
        return std::nullopt;
      place = {place.subject.element("0"), place.type->element, {}};
      continue;
    }
    const SourceField *next = onlyFirst(*place.type, isLike);
    if (!next)
      next = onlyFirst(*place.type, [&](const SourceType &type) {
        return type.isAggregate() && type.size >= size;
      });
    if (!next)
      return std::nullopt;
    place = memberOf(place, *next);
  }
  return place;
}

std::optional<PlaceExpression> Expressions::nameBits(const PlaceExpression &place,
                                                     const Instruction &instruction) const {
  auto *load = dyn_cast<LoadInst>(&instruction);
  auto *store = dyn_cast<StoreInst>(&instruction);
  std::optional<std::pair<unsigned, unsigned>> bits = load    ? bitsTaken(*load)
                                                      : store ? bitsChanged(*store)
                                                              : std::nullopt;
  if (load) // the read that comes before a write of other bits of the unit
    for (const User *user : load->users())
      if (auto *mask = dyn_cast<BinaryOperator>(user);
          mask && mask->getOpcode() == Instruction::And && mask->hasOneUse()) {
        const User *next = *mask->user_begin();
        if (auto *merge = dyn_cast<BinaryOperator>(next); merge && merge->hasOneUse())
          next = *merge->user_begin();
        if (auto *write = dyn_cast<StoreInst>(next);
            write && write->getPointerOperand() == load->getPointerOperand())
          bits = bitsChanged(*write);
      }
  if (!bits || !place.bitFieldUnit)
    return std::nullopt;
  for (const SourceField &field : place.type->fields)
    if (field.isBitField && field.bitOffset == *place.bitFieldUnit * 8 + bits->first &&
        field.bitSize == bits->second)
      return PlaceExpression{place.subject.field(field.name), field.type, {}};
  return std::nullopt;
}

std::optional<PlaceExpression> Expressions::accessOf(const Instruction &instruction,
                                                     bool isWrite) const {
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  const Type *type = pointer ? getLoadStoreType(const_cast<Instruction *>(&instruction)) : nullptr;
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
    pointer = update->getPointerOperand();
    type = update->getType();
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    pointer = exchange->getPointerOperand();
    type = exchange->getCompareOperand()->getType();
  } else if (auto *copy = dyn_cast<MemTransferInst>(&instruction)) {
    return placeOf(isWrite ? copy->getDest() : copy->getSource());
  } else if (auto *fill = dyn_cast<MemSetInst>(&instruction)) {
    return placeOf(fill->getDest());
  }
  if (!pointer)
    return std::nullopt;
  std::optional<PlaceExpression> place = placeOf(pointer);
  if (place && place->type && !place->bitFieldUnit && place->type->hasFields() &&
      !place->type->fields.empty() && place->type->fields[0].isBitField)
    place->bitFieldUnit = 0; // the first member needs no getelementptr
  if (place && place->bitFieldUnit)
    return nameBits(*place, instruction);
  return place ? narrow(*place, type) : std::nullopt;
}

} // namespace culprit
