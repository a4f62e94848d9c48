// See effects.h.
#include "runtime/recorder/effects.h"

#include "runtime/recorder/careful.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>

namespace culprit {
namespace {

uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/// Over buffers, the first `size` bytes.
void visitVector(uint64_t vector, uint64_t count, uint64_t size, VisitBytes visit, void *data) {
  const auto *buffers = pointerTo<const iovec>(vector);
  for (uint64_t i = 0; i < count && size > 0; ++i) {
    uint64_t part = least(size, buffers[i].iov_len);
    if (part != 0)
      visit(data, placeOf(buffers[i].iov_base), part);
    size -= part;
  }
}

/// What recvmsg wrote: the header's own lengths and flags, name, control data, buffers.
void visitMessage(uint64_t place, uint64_t size, VisitBytes visit, void *data) {
  auto *message = pointerTo<msghdr>(place);
  visit(data, place, sizeof *message);
  if (message->msg_name && message->msg_namelen != 0)
    visit(data, placeOf(message->msg_name), least(message->msg_namelen, sizeof(sockaddr_storage)));
  if (message->msg_control && message->msg_controllen != 0)
    visit(data, placeOf(message->msg_control), message->msg_controllen);
  visitVector(placeOf(message->msg_iov), message->msg_iovlen, size, visit, data);
}

void visitMessages(uint64_t place, uint64_t count, VisitBytes visit, void *data) {
  auto *messages = pointerTo<mmsghdr>(place);
  for (uint64_t i = 0; i < count; ++i) {
    visit(data, placeOf(&messages[i].msg_len), sizeof messages[i].msg_len);
    visitMessage(placeOf(&messages[i]), messages[i].msg_len, visit, data);
  }
}

void visitSizes(uint64_t place, uint64_t count, VisitBytes visit, void *data) {
  auto *messages = pointerTo<mmsghdr>(place);
  for (uint64_t i = 0; i < count; ++i)
    visit(data, placeOf(&messages[i].msg_len), sizeof messages[i].msg_len);
}

void visitName(uint64_t name, uint64_t length, uint64_t before, VisitBytes visit, void *data) {
  if (length == 0)
    return;
  uint64_t after = *pointerTo<const socklen_t>(length);
  visit(data, length, sizeof(socklen_t));
  if (name != 0 && least(before, after) != 0)
    visit(data, name, least(before, after));
}

/// The bytes that an effect of a plain form writes; 0 for the others.
uint64_t plainSize(const Effect &effect, const ProgramCall &call, uint64_t result) {
  switch (effect.rule) {
  case EffectRule::Fixed:
  case EffectRule::Always:
    return effect.size;
  case EffectRule::Result:
  case EffectRule::Results:
    return least(result, call.arguments[effect.count]) * effect.size;
  case EffectRule::Array:
    return call.arguments[effect.count] * effect.size;
  case EffectRule::Set:
    return (uint64_t{static_cast<uint32_t>(call.arguments[0])} + 63) / 64 * 8;
  default:
    return 0;
  }
}

/// Also where the call fails: what poll() has found so far, the time that is left to sleep.
bool isAlwaysWritten(const Effect &effect) {
  return effect.rule == EffectRule::Always || effect.rule == EffectRule::Array;
}

void addTo(void *hash, uint64_t place, uint64_t size) {
  static_cast<Hash *>(hash)->add(pointerTo<char>(place), size);
}

} // namespace

Lengths lengthsBefore(const CallRow &row, const ProgramCall &call) {
  Lengths lengths;
  for (int i = 0; i < kMostEffects; ++i) {
    const Effect &effect = row.effects[i];
    lengths.before[i] = 0;
    if (effect.rule == EffectRule::Name && call.arguments[effect.count] != 0 &&
        isWritableMemory(call.arguments[effect.count], sizeof(socklen_t)))
      lengths.before[i] = *pointerTo<const socklen_t>(call.arguments[effect.count]);
  }
  return lengths;
}

void forEachWritten(const CallRow &row, const ProgramCall &call, const Lengths &lengths,
                    long result, VisitBytes visit, void *data) {
  for (int i = 0; i < kMostEffects; ++i) {
    const Effect &effect = row.effects[i];
    uint64_t place = call.arguments[effect.pointer];
    if (effect.rule == EffectRule::None || place == 0)
      continue;
    auto count = static_cast<uint64_t>(result);
    uint64_t size = plainSize(effect, call, count);
    if (result < 0 && (!isAlwaysWritten(effect) || size == 0 || !isWritableMemory(place, size)))
      continue;
    if (size != 0)
      visit(data, place, size);
    else if (effect.rule == EffectRule::Name)
      visitName(place, call.arguments[effect.count], lengths.before[i], visit, data);
    else if (effect.rule == EffectRule::Vector)
      visitVector(place, call.arguments[effect.count], count, visit, data);
    else if (effect.rule == EffectRule::Message)
      visitMessage(place, count, visit, data);
    else if (effect.rule == EffectRule::Messages)
      visitMessages(place, count, visit, data);
    else if (effect.rule == EffectRule::Sizes)
      visitSizes(place, count, visit, data);
  }
}

bool isHalfWritten(const CallRow &row, long result) {
  if (result != -EFAULT)
    return false;
  for (const Effect &effect : row.effects)
    if (effect.rule == EffectRule::Result || effect.rule == EffectRule::Vector ||
        effect.rule == EffectRule::Message || effect.rule == EffectRule::Messages)
      return true;
  return false;
}

void forEachSent(const CallRow &row, const ProgramCall &call, long result, VisitBytes visit,
                 void *data) {
  if (result <= 0)
    return;
  auto size = static_cast<uint64_t>(result);
  for (const Effect &effect : row.effects) {
    uint64_t place = call.arguments[effect.pointer];
    if (effect.rule == EffectRule::Sent) {
      visit(data, place, size);
    } else if (effect.rule == EffectRule::SentVector) {
      visitVector(place, call.arguments[effect.count], size, visit, data);
    } else if (effect.rule == EffectRule::SentMessage) {
      const auto *message = pointerTo<const msghdr>(place);
      visitVector(placeOf(message->msg_iov), message->msg_iovlen, size, visit, data);
    } else if (effect.rule == EffectRule::SentMessages) {
      const auto *messages = pointerTo<const mmsghdr>(place);
      for (uint64_t i = 0; i < size; ++i)
        visitVector(placeOf(messages[i].msg_hdr.msg_iov), messages[i].msg_hdr.msg_iovlen,
                    messages[i].msg_len, visit, data);
    }
  }
}

uint64_t hashSent(const CallRow &row, const ProgramCall &call, long result) {
  Hash sent;
  forEachSent(row, call, result, addTo, &sent);
  return sent.value();
}

} // namespace culprit
