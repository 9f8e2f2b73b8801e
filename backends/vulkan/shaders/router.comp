// SPDX-License-Identifier: MIT
// Router of a mixture of experts, one work group per token: scores of all experts (KIND: 0 as given, 1 SOFT_MAX, 2
// sigmoid, 3 root of softplus), their ARGSORT, and the weights of the first. Source 0: logits; more 0: the order.
// OPTION0: experts are selected by their score, 1 = with bias source 1, 2 = by source 2. OPTION1: weights are 0 =
// scores, 1 = their SOFT_MAX, 2 = shares of their sum, 3 = of their clamped sum. OPTION2: 1 = scaled weights. OPTION3:
// experts. OPTION4: invocations. Parameters: factors of both SOFT_MAX, limits of the sum, factor and bias of weights.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "functions.glsl"
#include "order.glsl"
#define GROUP OPTION4
#include "reduction.glsl"
layout(local_size_x_id = 9) in;
const uint EXPERTS = OPTION3;

shared float scores[EXPERTS];
shared float preferences[EXPERTS];  ///< if OPTION0 is not 0
shared float chosen[EXPERTS];       ///< scores in order, those that are used

#define FOR_OWN(i) for (uint i = gl_LocalInvocationID.x; i < EXPERTS; i += GROUP)

float preference(uint i) { return OPTION0 == 0 ? scores[i] : preferences[i]; }

/// Each invocation reads and writes its own experts, except to add.
void soft_max() {
    float largest = -INFINITY;
    FOR_OWN(i) {
        scores[i] *= param(0);
        largest = max(largest, scores[i]);
    }
    largest = group_max(largest);
    FOR_OWN(i) scores[i] = exp(scores[i] - largest);
    barrier();
    // In the order of soft_max.comp: a rounding error may decide which of two experts is first.
    const uint stride = min(GROUP, 128u);
    float total = 0.0;
    if (gl_LocalInvocationID.x < stride) {
        for (uint i = gl_LocalInvocationID.x; i < EXPERTS; i += stride) total += scores[i];
    }
    total = group_sum(total);
    FOR_OWN(i) scores[i] /= total;
}

void score(uint token) {
    const Tensor logits = node.src[0];
    const uint64_t row = logits.data + uint64_t(token * logits.nb[1]);
    FOR_OWN(i) {
        const float x = read_f32(row + uint64_t(i * logits.nb[0]));
        if (KIND == 2) scores[i] = sigmoid(x);
        else scores[i] = KIND == 3 ? sqrt(softplus(x)) : x;
    }
    if (KIND == 1) soft_max();
    if (OPTION0 == 0) return;
    const Tensor other = node.src[OPTION0];
    const uint64_t at = other.data + (OPTION0 == 2 ? uint64_t(token * other.nb[1]) : 0ul);
    FOR_OWN(i) {
        const float x = read_f32(at + uint64_t(i * other.nb[0]));
        preferences[i] = OPTION0 == 1 ? scores[i] + x : x;
    }
}

void sort(uint token, uint used) {
    const Tensor order = node.more[0];
    const uint64_t row = order.data + uint64_t(token * order.nb[1]);
    FOR_OWN(i) {
        const float own = preference(i);
        uint before = 0;
        for (uint j = 0; j < EXPERTS; ++j) {
            if (precedes(preference(j), j, own, i, true)) ++before;
        }
        U32(row + uint64_t(before * 4u)).v = i;
        if (before < used) chosen[before] = scores[i];
    }
}

void weigh(uint token, uint used) {
    const Tensor weights = node.dst;
    float largest = -INFINITY;
    if (OPTION1 == 1) {
        for (uint i = 0; i < used; ++i) largest = max(largest, chosen[i] * param(1));
    }
    float total = 0.0;
    if (OPTION1 != 0) {
        for (uint i = 0; i < used; ++i) total += OPTION1 == 1 ? exp(chosen[i] * param(1) - largest) : chosen[i];
    }
    if (OPTION1 == 3) total = clamped(total, param(2), param(3));
    for (uint i = gl_LocalInvocationID.x; i < used; i += GROUP) {
        float weight = chosen[i];
        if (OPTION1 == 1) weight = exp(weight * param(1) - largest);
        if (OPTION1 != 0) weight /= total;
        if (OPTION2 == 1) weight = weight * param(4) + param(5);
        F32(weights.data + uint64_t(token * weights.nb[1] + i * weights.nb[0])).v = weight;
    }
}

void main() {
    const uint used = node.dst.ne[0];
    for (uint token = gl_WorkGroupID.x; token < node.dst.ne[1]; token += gl_NumWorkGroups.x) {
        score(token);
        barrier();
        sort(token, used);
        barrier();
        weigh(token, used);
        barrier();
    }
}
