// SPDX-License-Identifier: MIT
// Patterns of users: the time of every pattern is bounded by name × pattern.
#include "engine/models/placement/override_matcher.hpp"
#include "engine/models/placement/place_model.hpp"
#include "engine/models/placement/placement_flags.hpp"
#include "engine/support/name_pattern.hpp"
#include "tests/fuzz/byte_source.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/targets.hpp"

namespace splitscope::fuzz {
namespace {

Machine one_gpu() {
    Machine machine;
    machine.buffer_types = {{"GPU0", 128, std::nullopt, false, 0}, {"CPU", 32, std::nullopt, true, 0}};
    for (const std::size_t b : {0, 1}) {
        MachineBackend backend;
        backend.name = machine.buffer_types[b].name;
        backend.device = b == 0 ? DeviceKind::gpu : DeviceKind::cpu;
        backend.buffer_type = BufferTypeId(b);
        machine.backends.push_back(backend);
    }
    return machine;
}

}  // namespace

void patterns(Bytes bytes) {
    ByteSource source(bytes);
    const std::string name = source.text(80);
    const std::string pattern(text_of(source.rest()));
    for (const bool glob : {true, false}) {
        expecting_errors([&] {
            const NamePattern ready = glob ? NamePattern::glob(pattern) : NamePattern::regex(pattern);
            ready.matches(name);
            ready.matches(pattern);
        });
    }
    expecting_errors([&] {
        OverrideMatcher matcher(one_gpu(), parse_overrides(pattern));
        matcher.match(name);
        matcher.uses();
    });
}

}  // namespace splitscope::fuzz
