// SPDX-License-Identifier: MIT
#include "engine/models/selective_keys.hpp"

#include "engine/models/architectures.hpp"

namespace splitscope {

bool reads_key(const Architecture& architecture, std::string_view key) {
    const LoaderRules& rules = architecture.loader;
    return !lists(kSelectiveKeys, key) || lists(rules.keys, key) || lists(rules.optional_keys, key);
}

}  // namespace splitscope
