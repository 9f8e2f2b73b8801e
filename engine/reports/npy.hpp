// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "engine/tensor/tensor.hpp"

namespace splitscope {

/// A tensor's values as a NumPy array file (.npy, version 1.0): little-endian float32, C order, dimensions
/// from the slowest to the fastest (ne[3] … ne[0]) without leading ones. `bytes` begin at the tensor's first
/// element and follow its strides; quantised types are read back. Throws as row_values() does.
std::string npy_of(const Tensor& tensor, std::span<const std::byte> bytes);

}  // namespace splitscope
