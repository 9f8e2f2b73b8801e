// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/op_params.hpp"

#include <algorithm>
#include <cstdint>

#include "engine/tensor/op_facts.hpp"

namespace splitscope::ui {
namespace {

QString fraction_text(float value) {
    return QString::number(static_cast<double>(value), 'g', 6);
}

QString value_text(const OpParam& param, const Tensor& tensor) {
    const std::int32_t value = tensor.op_params[param.index];
    switch (param.type) {
        case OpParam::Type::whole:
            return QString::number(value);
        case OpParam::Type::fraction:
            return fraction_text(tensor.param_f32(param.index));
        case OpParam::Type::bytes:
            break;
    }
    const auto low = static_cast<std::uint32_t>(value);
    const auto high = static_cast<std::uint32_t>(tensor.op_params[param.index + 1]);
    return QString::number((static_cast<std::uint64_t>(high) << 32U) | low);
}

/// Small numbers are counts and sizes; huge ones are the bits of a fraction.
OpParam nameless(std::size_t index, std::int32_t value) {
    constexpr std::int32_t kLargestCount = 1 << 24;
    const bool fraction = value > kLargestCount || value < -kLargestCount;
    return {index, {}, fraction ? OpParam::Type::fraction : OpParam::Type::whole};
}

}  // namespace

std::vector<ShownParam> op_params_of(const Tensor& tensor) {
    const std::span<const OpParam> named = facts_of(tensor.op).params;
    std::vector<ShownParam> params;
    for (std::size_t i = 0; i < kMaxOpParams; ++i) {
        const auto param = std::ranges::find(named, i, &OpParam::index);
        const std::int32_t value = tensor.op_params[i];
        if (param != named.end()) {
            const QString name = QString::fromUtf8(param->name.data(), static_cast<int>(param->name.size()));
            params.push_back({name, value_text(*param, tensor)});
            if (param->type == OpParam::Type::bytes) ++i;
        } else if (value != 0) {
            params.push_back({QStringLiteral("[%1]").arg(i), value_text(nameless(i, value), tensor)});
        }
    }
    return params;
}

}  // namespace splitscope::ui
