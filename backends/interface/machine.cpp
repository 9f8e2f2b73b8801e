// SPDX-License-Identifier: MIT
#include "backends/interface/machine.hpp"

namespace splitscope {

std::uint64_t row_padding(const MachineBufferType& type, ElementType elements, std::int64_t row) {
    const std::int64_t step = type.row_pad;
    if (step == 0 || traits_of(elements).block_elements <= 1 || row % step == 0) return 0;
    return static_cast<std::uint64_t>(row_bytes(elements, step - row % step));
}

}  // namespace splitscope
