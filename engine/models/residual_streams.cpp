// SPDX-License-Identifier: MIT
#include "engine/models/residual_streams.hpp"

#include <fmt/format.h>

namespace splitscope {

ResidualStreams::ResidualStreams(ModelBuilder& builder, std::uint64_t most)
    : b_(builder), g_(builder.graph()), count_(builder.keys().required("hyper_connection.count", most)) {}

TensorId ResidualStreams::begin(TensorId x) {
    const TensorId one = g_.reshape(x, {b_.width(), 1, b_.tokens(), 1});
    return b_.named(g_.repeat(one, {b_.width(), count_, b_.tokens(), 1}), "hc_init");
}

TensorId ResidualStreams::keep_outputs(TensorId x) {
    const TensorId kept = b_.keep_outputs(g_.reshape(x, {b_.width() * count_, g_[x].ne[2], 1, 1}));
    return g_.reshape(kept, {b_.width(), count_, g_[kept].ne[1], 1});
}

TensorId ResidualStreams::weight(std::int32_t layer, std::string_view part, std::string_view name,
                                 const Shape& ne) {
    return b_.block_weight(layer, fmt::format("{}_{}.weight", part, name), ne);
}

}  // namespace splitscope
