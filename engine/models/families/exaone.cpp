// SPDX-License-Identifier: MIT
// EXAONE.
#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction exaone4, exaone_moe, plain_with_factors;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::array kExaoneRows = {
    Architecture{.name = "exaone", .graph = graphs::plain_with_factors},
    Architecture{.name = "exaone-moe",
                 .graph = graphs::exaone_moe,
                 .window = {.kind = WindowKind::standard,
                            .period = 4,
                            .width = 128,
                            .kept_at_zero = true,
                            .base = WindowBase::shared,
                            .scaling = WindowScaling::shared},
                 .loader = {.keys = "attention.sliding_window expert_feed_forward_length expert_gating_func",
                            .optional_keys = {kRoutingKeys, "leading_dense_block_count"},
                            .required = {kQkNorms, "output.weight"},
                            .expert_blocks = ExpertBlocks::after_dense,
                            .requires_routing = true}},
    Architecture{.name = "exaone4",
                 .graph = graphs::exaone4,
                 .window = {.kind = WindowKind::standard,
                            .period = 4,
                            .layers = 64,
                            .width = 4096,
                            .kept_at_zero = true,
                            .base = WindowBase::shared,
                            .scaling = WindowScaling::shared},
                 .loader = {.required = kQkNorms, .optional = kPostNorms}},
};

}  // namespace

std::span<const Architecture> exaone() {
    return kExaoneRows;
}

}  // namespace splitscope::families
