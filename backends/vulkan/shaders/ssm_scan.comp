// SPDX-License-Identifier: MIT
// SSM_SCAN: state ← state · e^(dt · a) + b · x · dt; y = Σ state · c. A work group computes one row of a head's
// state, OPTION0 elements (a multiple of the group). The final states follow the outputs in the result. OPTION1: first
// token. OPTION2: tokens, 0 = all; meanwhile, the place of the last state holds the current one.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#define GROUP 32u
#include "reduction.glsl"
layout(local_size_x = 32) in;

const uint SLICES = OPTION0 / GROUP;

void main() {
    const Tensor dst = node.dst;
    const Tensor state = node.src[0];
    const Tensor x = node.src[1];
    const Tensor dt = node.src[2];
    const Tensor a = node.src[3];
    const Tensor b = node.src[4];
    const Tensor c = node.src[5];
    const Tensor ids = node.src[6];
    const uint lane = gl_LocalInvocationID.x;
    const uint size = state.ne[0], dim = state.ne[1], heads = state.ne[2];
    const uint tokens = x.ne[2], sequences = x.ne[3];
    const uint row = gl_WorkGroupID.x, head = gl_WorkGroupID.y, sequence = gl_WorkGroupID.z;
    const uint snapshots = uint(max(1, node.params[0]));
    const int source = int(read_u32(ids.data + uint64_t(sequence * ids.nb[0])));
    if (source < 0 || uint(source) >= state.ne[3]) {
        report_fault();
        return;
    }
    const uint64_t last = dst.data + uint64_t((dim * heads * tokens * sequences + ((sequence * heads + head) * dim + row) * size) * 4u);
    float cells[SLICES];
    for (uint s = 0; s < SLICES; ++s) {
        const uint k = s * GROUP + lane;
        const uint64_t at = OPTION1 == 0 ? ADDRESS(state, uvec4(k, row, head, uint(source))) : last + uint64_t(k * 4u);
        cells[s] = k < size ? read_f32(at) : 0.0;
    }
    const uint group = head / (heads / b.ne[1]);
    const bool one_decay = a.ne[0] == 1u;
    const uint end = OPTION2 == 0 ? tokens : min(tokens, OPTION1 + OPTION2);
    for (uint t = OPTION1; t < end; ++t) {
        const float raw = read_f32(ADDRESS(dt, uvec4(head, t, sequence, 0)));
        const float step_size = raw <= 20.0 ? log(1.0 + exp(raw)) : raw;
        const float input_value = read_f32(ADDRESS(x, uvec4(row, head, t, sequence))) * step_size;
        float y = 0.0;
        for (uint s = 0; s < SLICES; ++s) {
            const uint k = s * GROUP + lane;
            if (k >= size) continue;
            const float decay = exp(step_size * read_f32(ADDRESS(a, uvec4(one_decay ? 0u : k, head, 0, 0))));
            const uvec4 at = uvec4(k, group, t, sequence);
            cells[s] = cells[s] * decay + read_f32(ADDRESS(b, at)) * input_value;
            y += cells[s] * read_f32(ADDRESS(c, at));
        }
        y = group_sum(y);
        if (lane == 0u) F32(dst.data + uint64_t((((sequence * tokens + t) * heads + head) * dim + row) * 4u)).v = y;
        const uint age = tokens - 1u - t;
        if (age < snapshots) {
            const uint64_t at = last + uint64_t(age * sequences * heads * dim * size * 4u);
            for (uint s = 0; s < SLICES; ++s) {
                const uint k = s * GROUP + lane;
                if (k < size) F32(at + uint64_t(k * 4u)).v = cells[s];
            }
        }
    }
    if (end == tokens) return;
    for (uint s = 0; s < SLICES; ++s) {
        const uint k = s * GROUP + lane;
        if (k < size) F32(last + uint64_t(k * 4u)).v = cells[s];
    }
}
