// SPDX-License-Identifier: MIT
// Patterns from users: no pattern may take longer than name × pattern.
#include "engine/execution/name_pattern.hpp"
#include "engine/models/placement/override_matcher.hpp"
#include "engine/models/placement/place_model.hpp"
#include "engine/models/placement/placement_flags.hpp"
#include "engine/session/session.hpp"
#include "engine/support/error.hpp"
#include "tests/fuzz/byte_source.hpp"
#include "tests/fuzz/targets.hpp"

namespace splitscope::fuzz {

void patterns(Bytes bytes) {
    ByteSource source(bytes);
    const std::string name = source.text(80);
    const std::string pattern(text_of(source.rest()));
    for (const bool glob : {true, false}) {
        try {
            const NamePattern ready = glob ? NamePattern::glob(pattern) : NamePattern::regex(pattern);
            ready.matches(name);
            ready.matches(pattern);
        } catch (const Error&) {
        }
    }
    try {
        OverrideMatcher matcher(default_machine(), parse_overrides(pattern));
        matcher.match(name);
        matcher.uses();
    } catch (const Error&) {
    }
}

}  // namespace splitscope::fuzz
