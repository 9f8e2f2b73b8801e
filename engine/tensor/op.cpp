// SPDX-License-Identifier: MIT
#include "engine/tensor/op.hpp"

#include <algorithm>
#include <array>

#include "engine/tensor/op_facts.hpp"

namespace splitscope {
namespace {

// clang-format off
constexpr auto kUnaryKinds = std::to_array<std::string_view>({
    "ABS", "SGN", "NEG", "STEP", "TANH", "ELU", "RELU", "SIGMOID", "GELU", "GELU_QUICK", "SILU",
    "HARDSWISH", "HARDSIGMOID", "EXP", "EXPM1", "SOFTPLUS", "GELU_ERF", "XIELU", "FLOOR", "CEIL",
    "ROUND", "TRUNC",
});

constexpr auto kGluKinds = std::to_array<std::string_view>({
    "REGLU", "GEGLU", "SWIGLU", "SWIGLU_OAI", "GEGLU_ERF", "GEGLU_QUICK", "SWIGLU_CLAMP",
});
// clang-format on

static_assert(kUnaryKinds.size() == kUnaryKindCount && kGluKinds.size() == kGluKindCount);

template <class Enum, class Names>
std::optional<Enum> find_name(const Names& names, std::string_view name) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return std::nullopt;
    return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::string_view name_of(Op op) {
    return facts_of(op).name;
}
// Kinds are node parameters, so a file can contain any number.
std::string_view name_of(UnaryKind kind) {
    const auto index = static_cast<std::size_t>(kind);
    return index < kUnaryKinds.size() ? kUnaryKinds[index] : name_of(Op::unary);
}
std::string_view name_of(GluKind kind) {
    const auto index = static_cast<std::size_t>(kind);
    return index < kGluKinds.size() ? kGluKinds[index] : name_of(Op::glu);
}

std::optional<Op> op_named(std::string_view name) {
    for (std::size_t i = 0; i < kOpCount; ++i)
        if (facts_of(static_cast<Op>(i)).name == name) return static_cast<Op>(i);
    return std::nullopt;
}
std::optional<UnaryKind> unary_kind_named(std::string_view name) {
    return find_name<UnaryKind>(kUnaryKinds, name);
}
std::optional<GluKind> glu_kind_named(std::string_view name) {
    return find_name<GluKind>(kGluKinds, name);
}

}  // namespace splitscope
