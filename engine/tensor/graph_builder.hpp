// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/messages/message.hpp"
#include "engine/tensor/graph.hpp"

namespace splitscope {

/// Parameters of rotary position embedding. Modes: 0 = neighbouring pairs, 2 = halves (NeoX), 8 and 40 =
/// halves in sections with separate positions.
struct RopeParameters {
    std::int32_t dims = 0;
    std::int32_t mode = 0;
    std::int32_t original_context = 0;
    float base = 10000.0F;
    float scale = 1.0F;
    float ext_factor = 0.0F;
    float attn_factor = 1.0F;
    float beta_fast = 32.0F;
    float beta_slow = 1.0F;
    std::array<std::int32_t, 4> sections{};
    std::int32_t first = 0;  ///< index of the first rotated element of a head
};

/// Builds graphs with the shapes, strides, views and names of ggml's constructors. Operations check the
/// shapes of their sources and throw Error(layout).
class GraphBuilder {
 public:
    explicit GraphBuilder(std::string name) { graph_.name = std::move(name); }

    /// The result of clamp() is a view of its source, as in older versions of ggml.
    void set_clamps_in_place(bool in_place) { clamps_in_place_ = in_place; }

    const Graph& graph() const { return graph_; }
    const Tensor& operator[](TensorId id) const { return graph_[id]; }
    /// Finishes building and returns the graph, with everything listed by expand().
    Graph take() { return std::move(graph_); }

    // Leaves and attributes.
    TensorId new_tensor(ElementType type, const Shape& ne, std::string name = {});
    TensorId new_input(ElementType type, const Shape& ne, std::string name = {});
    TensorId new_in_buffer(ElementType type, const Shape& ne, std::string name, const std::string& buffer);
    void set_name(TensorId id, std::string name);
    void add_flag(TensorId id, TensorFlags flag);

    /// Adds a tensor and its dependencies to the node and leaf lists, sources first; unnamed tensors become
    /// "node_N" and "leaf_N".
    void expand(TensorId id);

    // Views.
    TensorId view_1d(TensorId a, std::int64_t ne0, std::int64_t offset);
    TensorId reshape(TensorId a, const Shape& ne);
    TensorId view(TensorId a, const Shape& ne, const Shape& nb, std::int64_t offset);
    TensorId view_2d(TensorId a, std::int64_t ne0, std::int64_t ne1, std::int64_t nb1, std::int64_t offset);
    TensorId view_3d(TensorId a, std::int64_t ne0, std::int64_t ne1, std::int64_t ne2, std::int64_t nb1,
                     std::int64_t nb2, std::int64_t offset);
    TensorId permute(TensorId a, const std::array<std::int32_t, kMaxDims>& axes);
    TensorId transpose(TensorId a);

    // Element-wise; b is broadcast to a.
    TensorId add(TensorId a, TensorId b);
    TensorId sub(TensorId a, TensorId b);
    TensorId mul(TensorId a, TensorId b);
    TensorId div(TensorId a, TensorId b);
    TensorId add_id(TensorId a, TensorId b, TensorId ids);
    TensorId scale(TensorId a, float factor, float bias = 0.0F);
    /// In-place: the result is a view of `a`.
    TensorId scale_inplace(TensorId a, float factor);
    TensorId clamp(TensorId a, float low, float high);
    /// Overwrites `a`; the result is a view of it.
    TensorId add_inplace(TensorId a, TensorId b);
    TensorId unary(UnaryKind kind, TensorId a);
    TensorId sqr(TensorId a);
    TensorId sqrt(TensorId a);
    TensorId sum(TensorId a);
    /// The parameters are those of one layer.
    TensorId xielu(TensorId a, float alpha_n, float alpha_p, float beta, float epsilon);
    TensorId fill(TensorId a, float value);
    /// 0, 1, … `count` - 1.
    TensorId arange(std::int64_t count);
    /// The maximum of each group of `width` elements of a row.
    TensorId max_pool(TensorId a, std::int64_t width);
    /// Gate and value in two tensors.
    TensorId glu(GluKind kind, TensorId a, TensorId b);
    /// Gate and value in the halves of one tensor.
    TensorId glu(GluKind kind, TensorId a);
    TensorId swiglu_oai(TensorId a, TensorId b, float alpha, float limit);
    TensorId swiglu_clamp(TensorId a, TensorId b, float limit);

    // Rows.
    TensorId rms_norm(TensorId a, float epsilon);
    TensorId norm(TensorId a, float epsilon);
    TensorId l2_norm(TensorId a, float epsilon);
    TensorId group_norm(TensorId a, std::int32_t groups, float epsilon);
    TensorId sum_rows(TensorId a);
    TensorId mean(TensorId a);
    TensorId argsort(TensorId a, bool descending);
    /// Indices of the `count` largest elements of each row.
    TensorId top_k(TensorId a, std::int64_t count);
    TensorId get_rows(TensorId a, TensorId rows);
    /// Writes `values` to `into` at the row indices `rows`; the result is a view of `into`.
    TensorId set_rows(TensorId into, TensorId values, TensorId rows);
    TensorId soft_max(TensorId a, TensorId mask, float scale, float max_bias = 0.0F, TensorId sinks = {});
    TensorId rope(TensorId a, TensorId positions, TensorId frequency_factors,
                  const RopeParameters& parameters);
    /// The inverse rotation.
    TensorId rope_back(TensorId a, TensorId positions, const RopeParameters& parameters);

    // Copies.
    TensorId cont(TensorId a);
    TensorId cont(TensorId a, const Shape& ne);
    /// Copies `a` to `into`; the result is a view of `into`.
    TensorId cpy(TensorId a, TensorId into);
    /// A copy of `a` with `values` written at byte `offset`.
    TensorId set_1d(TensorId a, TensorId values, std::int64_t offset);
    /// A contiguous copy in another element type.
    TensorId cast(TensorId a, ElementType type);
    TensorId concat(TensorId a, TensorId b, std::int32_t dim);
    TensorId repeat(TensorId a, const Shape& ne);
    /// Pads the first two dimensions with zeros at the end.
    TensorId pad(TensorId a, std::int32_t columns, std::int32_t rows = 0);

    // Products.
    TensorId mul_mat(TensorId a, TensorId b);
    TensorId mul_mat_id(TensorId a, TensorId b, TensorId ids);
    /// 10 = GGML_PREC_F32, for a product or for attention.
    void set_precision(TensorId product, std::int32_t precision);
    /// A hint about the product's matrix, which backends may use.
    void set_hint(TensorId product, std::int32_t hint);
    TensorId flash_attention(TensorId q, TensorId k, TensorId v, TensorId mask, float scale, float max_bias,
                             float soft_cap, TensorId sinks = {});

    /// Scores of each key for the tokens: [keys, tokens, 1, streams] from `q` [size, heads, tokens, streams]
    /// and `k` [size, 1, keys, streams].
    TensorId lightning_indexer(TensorId q, TensorId k, TensorId weights, TensorId mask);

    /// Weighted sum of each token's streams: `x` [n, streams, tokens], `weights` [streams, tokens].
    TensorId hc_pre(TensorId x, TensorId weights);
    /// The matrices that mix each token's streams [streams, streams, tokens], from `numbers` [streams ·
    /// (streams + 2), tokens].
    TensorId hc_comb(TensorId numbers, TensorId scale, TensorId base, float epsilon, std::int32_t iterations);
    /// Sum of each token's streams times the sigmoid of `gates`, of the same shape, times `scale`.
    TensorId hc_pre_gated(TensorId x, TensorId gates, float scale);
    /// `output` [n, tokens] times each stream's weight, plus the streams `x`, mixed by `matrices` if given.
    TensorId hc_post(TensorId output, TensorId x, TensorId weights, TensorId matrices = {});

    /// The inputs that each position of a one-dimensional convolution reads: [taps · channels of the kernel,
    /// positions, ne[2] of `x`], in F16 (F32 for a BF16 kernel). `x` [positions, channels, …] is padded by
    /// half of the taps.
    TensorId im2col_1d(TensorId kernel, TensorId x);

    // State-space models.
    TensorId ssm_conv(TensorId x, TensorId kernel);
    TensorId ssm_scan(TensorId state, TensorId x, TensorId dt, TensorId a, TensorId b, TensorId c,
                      TensorId ids);
    /// Linear attention with a state per head: k, v, r, decay [head, heads, tokens], states [size,
    /// sequences]. Returns the results followed by the new states.
    TensorId rwkv_wkv6(TensorId k, TensorId v, TensorId r, TensorId first, TensorId decay, TensorId state);
    TensorId rwkv_wkv7(TensorId r, TensorId w, TensorId k, TensorId v, TensorId a, TensorId b,
                       TensorId state);
    TensorId gated_linear_attention(TensorId k, TensorId v, TensorId q, TensorId gate, TensorId state,
                                    float scale);
    /// q, k [state, key heads, tokens, sequences], v, gate and beta per head. Returns the results followed by
    /// the new states.
    TensorId gated_delta_net(TensorId q, TensorId k, TensorId v, TensorId gate, TensorId beta,
                             TensorId state);

 private:
    struct Expansion {
        TensorId tensor;
        std::size_t next = 0;
    };

    Tensor& at(TensorId id) { return graph_[id]; }
    TensorId add_tensor(Tensor tensor);
    /// A new contiguous tensor with this operation.
    TensorId result(Op op, ElementType type, const Shape& ne, std::initializer_list<TensorId> sources);
    TensorId like(Op op, TensorId a, std::initializer_list<TensorId> sources);
    TensorId make_view(Op op, TensorId a, const Shape& ne, const Shape& nb, std::int64_t offset,
                       std::string_view suffix);
    TensorId elementwise(Op op, TensorId a, TensorId b);
    TensorId rotate(Op op, TensorId a, TensorId positions, TensorId frequency_factors,
                    const RopeParameters& parameters);
    TensorId linear_attention(Op op, TensorId k, TensorId state, std::initializer_list<TensorId> sources);
    void require(bool condition, TensorId id, std::string_view op, const Sentence<>& problem) const;
    [[noreturn]] void refuse(TensorId id, std::string_view op, Message problem) const;
    void list(TensorId id);

    Graph graph_;
    std::vector<bool> listed_;
    bool clamps_in_place_ = false;
};

}  // namespace splitscope
