// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/op_params.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace splitscope::ui {
namespace {

enum class ParamType : std::uint8_t { whole, fraction };

struct Named {
    Op op;
    std::size_t index;
    const char* name;
    ParamType type;
};

/// ggml's names.
constexpr std::array kNamed = {
    Named{Op::norm, 0, "eps", ParamType::fraction},
    Named{Op::rms_norm, 0, "eps", ParamType::fraction},
    Named{Op::l2_norm, 0, "eps", ParamType::fraction},
    Named{Op::group_norm, 0, "n_groups", ParamType::whole},
    Named{Op::group_norm, 1, "eps", ParamType::fraction},
    Named{Op::scale, 0, "scale", ParamType::fraction},
    Named{Op::scale, 1, "bias", ParamType::fraction},
    Named{Op::clamp, 0, "min", ParamType::fraction},
    Named{Op::clamp, 1, "max", ParamType::fraction},
    Named{Op::soft_max, 0, "scale", ParamType::fraction},
    Named{Op::soft_max, 1, "max_bias", ParamType::fraction},
    Named{Op::flash_attn_ext, 0, "scale", ParamType::fraction},
    Named{Op::flash_attn_ext, 1, "max_bias", ParamType::fraction},
    Named{Op::flash_attn_ext, 2, "logit_softcap", ParamType::fraction},
    Named{Op::rope, 1, "n_dims", ParamType::whole},
    Named{Op::rope, 2, "mode", ParamType::whole},
    Named{Op::rope, 4, "n_ctx_orig", ParamType::whole},
    Named{Op::rope, 5, "freq_base", ParamType::fraction},
    Named{Op::rope, 6, "freq_scale", ParamType::fraction},
    Named{Op::rope, 7, "ext_factor", ParamType::fraction},
    Named{Op::rope, 8, "attn_factor", ParamType::fraction},
    Named{Op::rope, 9, "beta_fast", ParamType::fraction},
    Named{Op::rope, 10, "beta_slow", ParamType::fraction},
    Named{Op::permute, 0, "axis0", ParamType::whole},
    Named{Op::permute, 1, "axis1", ParamType::whole},
    Named{Op::permute, 2, "axis2", ParamType::whole},
    Named{Op::permute, 3, "axis3", ParamType::whole},
    Named{Op::concat, 0, "dim", ParamType::whole},
};

QString fraction_text(float value) {
    return QString::number(static_cast<double>(value), 'g', 6);
}

}  // namespace

std::vector<OpParam> op_params_of(const Tensor& tensor) {
    std::vector<OpParam> params;
    if (tensor.op == Op::view) {
        const auto low = static_cast<std::uint32_t>(tensor.op_params[0]);
        const auto high = static_cast<std::uint32_t>(tensor.op_params[1]);
        const std::uint64_t offset = (static_cast<std::uint64_t>(high) << 32U) | low;
        return {{QStringLiteral("offset"), QString::number(offset)}};
    }
    for (std::size_t i = 0; i < kMaxOpParams; ++i) {
        const auto named = std::ranges::find_if(
            kNamed, [&](const Named& row) { return row.op == tensor.op && row.index == i; });
        const std::int32_t value = tensor.op_params[i];
        if (named != kNamed.end()) {
            params.push_back({QLatin1String(named->name), named->type == ParamType::fraction
                                                              ? fraction_text(tensor.param_f32(i))
                                                              : QString::number(value)});
        } else if (value != 0) {
            // Small values are integers; huge ones are the bits of a float.
            constexpr std::int32_t kLargestCount = 1 << 24;
            const bool fraction = value > kLargestCount || value < -kLargestCount;
            params.push_back({QStringLiteral("[%1]").arg(i),
                              fraction ? fraction_text(tensor.param_f32(i)) : QString::number(value)});
        }
    }
    return params;
}

}  // namespace splitscope::ui
