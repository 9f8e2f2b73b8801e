// SPDX-License-Identifier: MIT
#include "engine/models/architectures.hpp"

#include <algorithm>
#include <array>

#include "engine/models/pages/pages.hpp"

namespace splitscope {
namespace {

using enum RopeKind;
constexpr WindowKind kStandard = WindowKind::standard;

/// One row per architecture, in alphabetical order; a page may serve several.
constexpr std::array kArchitectures = {
    Architecture{.name = "bert",
                 .page = pages::bert,
                 .caches = CacheKinds::none,
                 .gives_embeddings = true,
                 .older_forms = true},
    Architecture{.name = "gemma2",
                 .page = pages::gemma2,
                 .window = {.kind = kStandard, .period = 2, .width = 4096},
                 .older_forms = true},
    Architecture{.name = "gemma3",
                 .page = pages::gemma3,
                 .window = {.kind = kStandard, .period = 6, .own_base = true},
                 .older_forms = true},
    Architecture{.name = "gpt-oss", .page = pages::gpt_oss, .window = {.kind = kStandard, .period = 2}},
    Architecture{.name = "gpt2", .page = pages::gpt2, .rope = none, .older_forms = true},
    Architecture{.name = "llama", .page = pages::llama, .rope = pairs, .older_forms = true},
    Architecture{.name = "mamba", .page = pages::mamba, .rope = none, .caches = CacheKinds::recurrent},
    Architecture{.name = "phi3", .page = pages::phi3, .older_forms = true},
    Architecture{.name = "qwen2", .page = pages::qwen2, .older_forms = true},
    Architecture{.name = "qwen3", .page = pages::qwen3, .older_forms = true},
    Architecture{.name = "qwen3moe", .page = pages::qwen3moe, .older_forms = true},
};

}  // namespace

std::span<const Architecture> architectures() {
    return kArchitectures;
}

const Architecture* find_architecture(std::string_view name) {
    const auto found = std::ranges::find(kArchitectures, name, &Architecture::name);
    return found == kArchitectures.end() ? nullptr : &*found;
}

}  // namespace splitscope
