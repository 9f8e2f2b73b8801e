// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "engine/tensor/tensor.hpp"

namespace splitscope {

/// A tensor's values as a NumPy file (.npy, version 1.0): little-endian float32, C order, dimensions from
/// slowest to fastest (ne[3] … ne[0]) without leading ones. `bytes` starts at the tensor's first element and
/// follows its strides; quantised types are dequantised. Throws as row_values().
std::string npy_of(const Tensor& tensor, std::span<const std::byte> bytes);

}  // namespace splitscope
