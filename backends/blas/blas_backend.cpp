// SPDX-License-Identifier: MIT
#include "backends/blas/blas_backend.hpp"

#include <algorithm>

#include <cblas.h>

#include "backends/cpu/rows.hpp"
#include "backends/interface/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

blasint to_blas(std::int64_t n) {
    return static_cast<blasint>(n);
}

float* floats_of(const BoundGraph& graph, TensorId id) {
    std::byte* data = graph.host_data(id);
    if (data == nullptr) {
        throw Error(ErrorKind::no_buffer, msg::kNotInHostMemory, graph[id].name, msg::kPlaceInCpuBuffer);
    }
    return reinterpret_cast<float*>(data);
}

float* plane_of(const Tensor& t, float* data, std::int64_t i2, std::int64_t i3) {
    return data + t.ne[0] * t.ne[1] * (i2 + t.ne[2] * i3);
}

/// Columns per library call, which cannot be interrupted: a few tens of milliseconds of work.
std::int64_t columns_at_once(std::int64_t rows, std::int64_t depth) {
    constexpr std::int64_t kProducts = std::int64_t{1} << 30;
    constexpr std::int64_t kMin = 32;
    return std::max(kMin, kProducts / rows / depth);
}

}  // namespace

Guid BlasBackend::guid() const {
    return {0x12, 0xa8, 0xae, 0xf4, 0xc0, 0x1e, 0x61, 0x97, 0x8f, 0xeb, 0x33, 0x04, 0xa1, 0x33, 0x51, 0x2d};
}

int BlasBackend::threads() const {
    if (threads_ > 0) return threads_;
    return pool_ ? pool_->size() : 1;
}

const float* BlasBackend::expand(const Tensor& weights, const std::byte* plane) {
    auto* out = reinterpret_cast<float*>(work_.bytes().data());
    const int parts = pool_ ? std::min(threads(), pool_->size()) : 1;
    const auto expand_part = [&](int part) {
        for (std::int64_t row = part; row < weights.ne[1]; row += parts) {
            cpu::decode_row(weights.type, plane + row * static_cast<std::int64_t>(weights.nb[1]),
                            out + row * weights.ne[0], weights.ne[0]);
        }
    };
    if (parts > 1) {
        pool_->run(parts, expand_part);
    } else {
        expand_part(0);
    }
    return out;
}

Status BlasBackend::multiply(const BoundGraph& graph, TensorId node) {
    const Tensor& dst = graph[node];
    const TensorId weights_id = graph.sources(node)[0];
    const TensorId x_id = graph.sources(node)[1];
    const Tensor& weights = graph[weights_id];
    const Tensor& x = graph[x_id];
    const bool expands = weights.type != ElementType::f32;
    const auto plane_floats = static_cast<std::size_t>(weights.ne[0] * weights.ne[1]);
    if (expands && !work_.ensure(plane_floats * sizeof(float))) return Status::allocation_failed;
    const auto* weight_bytes = reinterpret_cast<const std::byte*>(floats_of(graph, weights_id));
    float* x_data = floats_of(graph, x_id);
    float* out = floats_of(graph, node);
    const std::int64_t repeat2 = x.ne[2] / weights.ne[2];
    const std::int64_t repeat3 = x.ne[3] / weights.ne[3];
    const std::byte* expanded = nullptr;
    const float* w = nullptr;
    for (std::int64_t i3 = 0; i3 < x.ne[3]; ++i3) {
        for (std::int64_t i2 = 0; i2 < x.ne[2]; ++i2) {
            const std::byte* plane = weight_bytes + i2 / repeat2 * static_cast<std::int64_t>(weights.nb[2]) +
                                     i3 / repeat3 * static_cast<std::int64_t>(weights.nb[3]);
            if (plane != expanded) {
                w = expands ? expand(weights, plane) : reinterpret_cast<const float*>(plane);
                expanded = plane;
            }
            const float* columns = plane_of(x, x_data, i2, i3);
            float* results = plane_of(dst, out, i2, i3);
            const std::int64_t step = columns_at_once(weights.ne[1], x.ne[0]);
            for (std::int64_t c = 0; c < x.ne[1]; c += step) {
                if (should_stop()) return Status::aborted;
                cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, to_blas(std::min(step, x.ne[1] - c)),
                            to_blas(weights.ne[1]), to_blas(x.ne[0]), 1.0F, columns + c * x.ne[0],
                            to_blas(x.ne[0]), w, to_blas(weights.ne[0]), 0.0F, results + c * dst.ne[0],
                            to_blas(dst.ne[0]));
            }
        }
    }
    return Status::success;
}

/// out[i, j] = Σ_k a[i, k] · b[j, k]
Status BlasBackend::outer_product(const BoundGraph& graph, TensorId node) const {
    const TensorId a_id = graph.sources(node)[0];
    const TensorId b_id = graph.sources(node)[1];
    const Tensor& a = graph[a_id];
    const Tensor& b = graph[b_id];
    const bool plain = is_contiguous(b);
    const std::int64_t step = columns_at_once(a.ne[0], a.ne[1]);
    for (std::int64_t c = 0; c < b.ne[0]; c += step) {
        if (should_stop()) return Status::aborted;
        cblas_sgemm(CblasRowMajor, plain ? CblasTrans : CblasNoTrans, CblasNoTrans,
                    to_blas(std::min(step, b.ne[0] - c)), to_blas(a.ne[0]), to_blas(a.ne[1]), 1.0F,
                    floats_of(graph, b_id) + (plain ? c : c * b.ne[1]), to_blas(plain ? b.ne[0] : b.ne[1]),
                    floats_of(graph, a_id), to_blas(a.ne[0]), 0.0F, floats_of(graph, node) + c * a.ne[0],
                    to_blas(a.ne[0]));
    }
    return Status::success;
}

Status BlasBackend::compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) {
    openblas_set_num_threads(threads());
    for (const TensorId node : nodes) {
        const Op op = graph[node].op;
        if (op == Op::none || is_view_op(op) || is_empty(graph[node])) continue;
        if (op == Op::mul_mat) {
            if (const Status status = multiply(graph, node); status != Status::success) return status;
        } else if (op == Op::out_prod) {
            if (const Status status = outer_product(graph, node); status != Status::success) return status;
        } else {
            throw Error(ErrorKind::unsupported, msg::kDoesNotCompute("BLAS", name_of(op)), graph[node].name,
                        msg::kAssignElsewhere);
        }
        if (should_stop()) return Status::aborted;
    }
    return Status::success;
}

}  // namespace splitscope
