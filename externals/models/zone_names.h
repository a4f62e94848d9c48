// The names of the time zone: libc's functions put theirs into `tzname`, which is the program's.
#ifndef CULPRIT_EXTERNALS_MODELS_ZONE_NAMES_H
#define CULPRIT_EXTERNALS_MODELS_ZONE_NAMES_H

namespace culprit {

/// After a function of libc that looks at the time zone.
void keepZoneNames();

} // namespace culprit
#endif
