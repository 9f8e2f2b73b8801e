// SPDX-License-Identifier: MIT
#include "engine/models/architectures.hpp"

#include <algorithm>
#include <vector>

namespace splitscope {

// The families, each in the file of its name.
namespace families {

using Family = std::span<const Architecture>();
Family bailing, bert, cohere, deepseek, diffusion, ernie, exaone, falcon, gemma, glm, gpt, granite, hunyuan,
    kimi, lfm2, llama, mamba, minicpm, minimax, nemotron, olmo, other, other_moe, phi, plamo, qwen, rwkv, t5;

}  // namespace families

namespace {

std::vector<Architecture> join_families() {
    using namespace families;
    std::vector<Architecture> rows;
    for (Family* const family :
         {bailing, bert,    cohere,    deepseek, diffusion, ernie, exaone, falcon,  gemma,   glm,
          gpt,     granite, hunyuan,   kimi,     lfm2,      llama, mamba,  minicpm, minimax, nemotron,
          olmo,    other,   other_moe, phi,      plamo,     qwen,  rwkv,   t5}) {
        const auto of_family = family();
        rows.insert(rows.end(), of_family.begin(), of_family.end());
    }
    std::ranges::sort(rows, {}, &Architecture::name);
    return rows;
}

}  // namespace

std::span<const Architecture> architectures() {
    static const std::vector<Architecture> rows = join_families();
    return rows;
}

const Architecture* find_architecture(std::string_view name) {
    const auto rows = architectures();
    const auto found = std::ranges::lower_bound(rows, name, {}, &Architecture::name);
    return found == rows.end() || found->name != name ? nullptr : &*found;
}

const Architecture& architecture_or_default(std::string_view name) {
    static constexpr Architecture kDefault{};
    const Architecture* found = find_architecture(name);
    return found == nullptr ? kDefault : *found;
}

}  // namespace splitscope
