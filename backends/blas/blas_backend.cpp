// SPDX-License-Identifier: MIT
#include "backends/blas/blas_backend.hpp"

#include <algorithm>

#include <cblas.h>

#include "backends/cpu/rows.hpp"
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
        throw Error(ErrorKind::no_buffer, "the tensor is not in memory that BLAS can read", graph[id].name,
                    "place it in a buffer of the CPU's type");
    }
    return reinterpret_cast<float*>(data);
}

float* plane_of(const Tensor& t, float* data, std::int64_t i2, std::int64_t i3) {
    return data + t.ne[0] * t.ne[1] * (i2 + t.ne[2] * i3);
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

bool BlasBackend::multiply(const BoundGraph& graph, TensorId node) {
    const Tensor& dst = graph[node];
    const TensorId weights_id = graph.sources(node)[0];
    const TensorId x_id = graph.sources(node)[1];
    const Tensor& weights = graph[weights_id];
    const Tensor& x = graph[x_id];
    const bool expands = weights.type != ElementType::f32;
    const auto plane_floats = static_cast<std::size_t>(weights.ne[0] * weights.ne[1]);
    if (expands && !work_.ensure(plane_floats * sizeof(float))) return false;
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
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, to_blas(x.ne[1]), to_blas(weights.ne[1]),
                        to_blas(x.ne[0]), 1.0F, plane_of(x, x_data, i2, i3), to_blas(x.ne[0]), w,
                        to_blas(weights.ne[0]), 0.0F, plane_of(dst, out, i2, i3), to_blas(dst.ne[0]));
        }
    }
    return true;
}

/// out[i, j] = Σ_k a[i, k] · b[j, k]
void BlasBackend::outer_product(const BoundGraph& graph, TensorId node) const {
    const TensorId a_id = graph.sources(node)[0];
    const TensorId b_id = graph.sources(node)[1];
    const Tensor& a = graph[a_id];
    const Tensor& b = graph[b_id];
    const bool plain = is_contiguous(b);
    cblas_sgemm(CblasRowMajor, plain ? CblasTrans : CblasNoTrans, CblasNoTrans, to_blas(b.ne[0]),
                to_blas(a.ne[0]), to_blas(a.ne[1]), 1.0F, floats_of(graph, b_id),
                to_blas(plain ? b.ne[0] : b.ne[1]), floats_of(graph, a_id), to_blas(a.ne[0]), 0.0F,
                floats_of(graph, node), to_blas(a.ne[0]));
}

Status BlasBackend::compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) {
    openblas_set_num_threads(threads());
    for (const TensorId node : nodes) {
        const Op op = graph[node].op;
        if (op == Op::none || is_view_op(op) || is_empty(graph[node])) continue;
        if (op == Op::mul_mat) {
            if (!multiply(graph, node)) return Status::allocation_failed;
        } else if (op == Op::out_prod) {
            outer_product(graph, node);
        } else {
            throw Error(ErrorKind::unsupported, std::string("BLAS does not compute ").append(name_of(op)),
                        graph[node].name, "assign the node to another backend");
        }
        if (abort_ && abort_()) return Status::aborted;
    }
    return Status::success;
}

}  // namespace splitscope
