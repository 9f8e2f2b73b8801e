// SPDX-License-Identifier: MIT
// Recurrent attention with a square state per head. KIND: 0 RWKV_WKV6, 1 GATED_LINEAR_ATTN, 2 RWKV_WKV7, 3
// GATED_DELTA_NET. An invocation owns a column (0 and 1) or a row of the state and updates it in place in the
// result. OPTION0: first token. OPTION1: tokens, 0 = all.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
layout(local_size_x = 64) in;

float cell(uint64_t at) { return F32(at).v; }
#define FOR_TOKENS(t, tokens) \
    for (uint t = OPTION0; t < (OPTION1 == 0 ? (tokens) : min(tokens, OPTION0 + OPTION1)); ++t)

/// Rows of the state are indexed by key, columns by value; tokens of all sequences are consecutive.
void by_columns(uint j, uint head, uint sequence, uint size, uint heads, uint tokens, uint64_t states) {
    const Tensor k = node.src[0];
    const Tensor v = node.src[1];
    const Tensor r = node.src[2];
    const Tensor state = node.src[KIND == 0 ? 5 : 4];
    const uint first = ((sequence * heads + head) * size) * size + j;
    if (OPTION0 == 0) for (uint i = 0; i < size; ++i)
        F32(states + uint64_t((first + i * size) * 4u)).v = read_f32(state.data + uint64_t((first + i * size) * 4u));
    FOR_TOKENS(t, tokens) {
        const uint token = sequence * tokens + t;
        const float value = read_f32(ADDRESS(v, uvec4(j, head, token, 0)));
        float total = 0.0;
        for (uint i = 0; i < size; ++i) {
            const uint64_t at = states + uint64_t((first + i * size) * 4u);
            const uvec4 c = uvec4(i, head, token, 0);
            const float product = read_f32(ADDRESS(k, c)) * value;
            const float old = cell(at);
            if (KIND == 0) {
                total += read_f32(ADDRESS(r, c)) * (product * read_f32(ADDRESS(node.src[3], uvec4(i, head, 0, 0))) + old);
                F32(at).v = old * read_f32(ADDRESS(node.src[4], c)) + product;
            } else {
                const float updated = old * read_f32(ADDRESS(node.src[3], c)) + product;
                total += read_f32(ADDRESS(r, c)) * param(0) * updated;
                F32(at).v = updated;
            }
        }
        F32(node.dst.data + uint64_t(((token * heads + head) * size + j) * 4u)).v = total;
    }
}

/// Rows of the state are indexed by value, columns by key.
void by_rows(uint row, uint head, uint sequence, uint size, uint heads, uint tokens, uint64_t states) {
    const uint first = ((sequence * heads + head) * size + row) * size;
    if (OPTION0 == 0) for (uint j = 0; j < size; ++j)
        F32(states + uint64_t((first + j) * 4u)).v = read_f32(node.src[6].data + uint64_t((first + j) * 4u));
    FOR_TOKENS(t, tokens) {
        const uint token = sequence * tokens + t;
        const float value = read_f32(ADDRESS(node.src[3], uvec4(row, head, token, 0)));
        float removed = 0.0;
        for (uint j = 0; j < size; ++j)
            removed += read_f32(ADDRESS(node.src[4], uvec4(j, head, token, 0))) * cell(states + uint64_t((first + j) * 4u));
        float total = 0.0;
        for (uint j = 0; j < size; ++j) {
            const uint64_t at = states + uint64_t((first + j) * 4u);
            const uvec4 c = uvec4(j, head, token, 0);
            const float updated = cell(at) * read_f32(ADDRESS(node.src[1], c)) + value * read_f32(ADDRESS(node.src[2], c)) +
                                removed * read_f32(ADDRESS(node.src[5], c));
            F32(at).v = updated;
            total += updated * read_f32(ADDRESS(node.src[0], c));
        }
        F32(node.dst.data + uint64_t(((token * heads + head) * size + row) * 4u)).v = total;
    }
}

/// Decays the state by the gate, then adds the prediction error (delta rule). Older snapshots follow the newest
/// state.
void delta_net(uint row, uint head, uint sequence, uint size, uint heads, uint tokens, uint sequences, uint64_t states) {
    const Tensor q = node.src[0];
    const Tensor k = node.src[1];
    const Tensor gate = node.src[3];
    const uint snapshots = uint(max(1, node.params[0]));
    const float scale = 1.0 / sqrt(float(size));
    const uint first = ((sequence * heads + head) * size + row) * size;
    const uint state_cells = sequences * heads * size * size;
    if (OPTION0 == 0) for (uint j = 0; j < size; ++j)
        F32(states + uint64_t((first + j) * 4u)).v = read_f32(node.src[5].data + uint64_t((first + j) * 4u));
    FOR_TOKENS(t, tokens) {
        const uint64_t key = ADDRESS(k, uvec4(0, head % k.ne[1], t, sequence));
        const uint64_t query = ADDRESS(q, uvec4(0, head % q.ne[1], t, sequence));
        const uint64_t g = ADDRESS(gate, uvec4(0, head, t, sequence));
        const float value = read_f32(ADDRESS(node.src[2], uvec4(row, head, t, sequence)));
        const float rate = read_f32(ADDRESS(node.src[4], uvec4(0, head, t, sequence)));
        float predicted = 0.0;
        for (uint j = 0; j < size; ++j) {
            const uint64_t at = states + uint64_t((first + j) * 4u);
            const float kept = cell(at) * exp(read_f32(g + uint64_t(gate.ne[0] == 1u ? 0u : j * 4u)));
            F32(at).v = kept;
            predicted += kept * read_f32(key + uint64_t(j * 4u));
        }
        const float wrong = (value - predicted) * rate;
        float total = 0.0;
        const uint age = tokens - 1u - t;
        for (uint j = 0; j < size; ++j) {
            const uint64_t at = states + uint64_t((first + j) * 4u);
            const float updated = cell(at) + wrong * read_f32(key + uint64_t(j * 4u));
            F32(at).v = updated;
            total += updated * read_f32(query + uint64_t(j * 4u));
            if (age > 0u && age < snapshots) F32(at + uint64_t(age * state_cells * 4u)).v = updated;
        }
        F32(node.dst.data + uint64_t((((sequence * tokens + t) * heads + head) * size + row) * 4u)).v = total * scale;
    }
}

void main() {
    const Tensor shape = node.src[KIND == 3 ? 2 : 0];
    const uint size = shape.ne[0];
    const uint heads = shape.ne[1];
    const uint sequences = KIND == 3 ? shape.ne[3] : node.src[KIND == 0 ? 5 : KIND == 1 ? 4 : 6].ne[1];
    const uint tokens = KIND == 3 ? shape.ne[2] : shape.ne[2] / sequences;
    const uint64_t states = node.dst.data + uint64_t(size * heads * tokens * sequences * 4u);
    FOR_ELEMENTS(i, size * heads * sequences) {
        const uint own = i % size;
        const uint head = i / size % heads;
        const uint sequence = i / (size * heads);
        if (KIND <= 1) by_columns(own, head, sequence, size, heads, tokens, states);
        else if (KIND == 2) by_rows(own, head, sequence, size, heads, tokens, states);
        else delta_net(own, head, sequence, size, heads, tokens, sequences, states);
    }
}
