// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/support/strong_id.hpp"
#include "engine/tensor/element_type.hpp"
#include "engine/tensor/op.hpp"

namespace splitscope {

inline constexpr std::size_t kMaxDims = 4;
inline constexpr std::size_t kMaxSources = 10;
inline constexpr std::size_t kMaxOpParams = 16;
/// Maximum length of names; longer ones are truncated.
inline constexpr std::size_t kMaxNameBytes = 63;

/// Index into Graph::tensors, or of a tensor that a schedule appended.
using TensorId = StrongId<struct TensorTag>;
/// Index into Graph::buffers.
using BufferRef = StrongId<struct BufferTag>;

using Shape = std::array<std::int64_t, kMaxDims>;
using Sources = std::array<TensorId, kMaxSources>;
using OpParams = std::array<std::int32_t, kMaxOpParams>;

/// Bit set of a tensor's flags.
enum class TensorFlags : std::uint8_t { none = 0, input = 1, output = 2, param = 4, loss = 8 };

constexpr TensorFlags operator|(TensorFlags a, TensorFlags b) {
    return static_cast<TensorFlags>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has_flag(TensorFlags set, TensorFlags flag) {
    return (static_cast<unsigned>(set) & static_cast<unsigned>(flag)) != 0;
}

/// Description of one tensor of a graph: what it is, not where it is stored (scheduler.md §1.1).
struct Tensor {
    std::string name;
    ElementType type = ElementType::f32;
    Op op = Op::none;
    TensorFlags flags = TensorFlags::none;
    Shape ne{1, 1, 1, 1};  ///< elements per dimension, innermost first
    Shape nb{};            ///< stride of each dimension in bytes
    OpParams op_params{};
    Sources src{};             ///< may have holes
    TensorId view_src;         ///< the tensor whose memory this one shares; never itself a view
    std::int64_t view_offs{};  ///< bytes from the start of view_src
    BufferRef buffer;          ///< the buffer it is pre-allocated in, if any

    bool is_view() const { return view_src.valid(); }
    bool is_input() const { return has_flag(flags, TensorFlags::input); }
    bool is_output() const { return has_flag(flags, TensorFlags::output); }

    float param_f32(std::size_t i) const { return std::bit_cast<float>(op_params[i]); }
    void set_param_f32(std::size_t i, float value) { op_params[i] = std::bit_cast<std::int32_t>(value); }
};

/// `name` truncated to kMaxNameBytes.
std::string cut_name(std::string name);

}  // namespace splitscope
