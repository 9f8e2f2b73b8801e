// SPDX-License-Identifier: MIT
#include "engine/tensor/quants/byte_form.hpp"

#include <array>

#include "engine/tensor/quants/unpack.hpp"

namespace splitscope {
namespace {

constexpr std::array<ByteForm, kElementTypeNumbers> make_forms() {
    using enum ElementType;
    using namespace quants;
    std::array<ByteForm, kElementTypeNumbers> forms{};
    const auto set = [&forms](ElementType type, int group, bool has_mins, auto* unpack) {
        forms[static_cast<std::size_t>(type)] = {group, has_mins, unpack};
    };
    set(q4_0, 32, false, unpack_q4_0);
    set(q4_1, 32, true, unpack_q4_1);
    set(q5_0, 32, false, unpack_q5_0);
    set(q5_1, 32, true, unpack_q5_1);
    set(q8_0, 32, false, unpack_q8_0);
    set(q2_K, 16, true, unpack_q2_K);
    set(q3_K, 16, false, unpack_q3_K);
    set(q4_K, 32, true, unpack_q4_K);
    set(q5_K, 32, true, unpack_q5_K);
    set(q6_K, 16, false, unpack_q6_K);
    set(iq4_nl, 32, false, unpack_iq4_nl);
    set(iq4_xs, 32, false, unpack_iq4_xs);
    set(mxfp4, 32, false, unpack_mxfp4);
    set(nvfp4, 16, false, unpack_nvfp4);
    set(tq1_0, 32, false, unpack_tq1_0);
    set(tq2_0, 32, false, unpack_tq2_0);
    set(q1_0, 32, false, unpack_q1_0);
    set(q2_0, 32, false, unpack_q2_0);
    set(iq2_xxs, 32, false, unpack_iq2_xxs);
    set(iq2_xs, 16, false, unpack_iq2_xs);
    set(iq2_s, 16, false, unpack_iq2_s);
    set(iq3_xxs, 32, false, unpack_iq3_xxs);
    set(iq3_s, 32, false, unpack_iq3_s);
    set(iq1_s, 32, false, unpack_iq1_s);
    set(iq1_m, 16, false, unpack_iq1_m);
    return forms;
}

constexpr std::array<ByteForm, kElementTypeNumbers> kForms = make_forms();

}  // namespace

const ByteForm* byte_form_of(ElementType type) {
    const ByteForm& form = kForms[static_cast<std::size_t>(type)];
    return form.unpack != nullptr ? &form : nullptr;
}

ElementType activation_type_of(ElementType weights) {
    constexpr std::int64_t kSuperBlock = 256;
    if (weights == ElementType::q4_1 || weights == ElementType::q5_1) return ElementType::q8_1;
    return traits_of(weights).block_elements == kSuperBlock ? ElementType::q8_K : ElementType::q8_0;
}

bool is_weight_type(ElementType type) {
    return type == ElementType::f32 || type == ElementType::f16 || type == ElementType::bf16 ||
           byte_form_of(type) != nullptr;
}

bool is_activation_type_of(ElementType activations, ElementType weights) {
    return byte_form_of(weights) != nullptr && activations == activation_type_of(weights);
}

}  // namespace splitscope
