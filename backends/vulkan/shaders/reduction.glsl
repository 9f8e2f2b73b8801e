// SPDX-License-Identifier: MIT
// Sums and maxima over the invocations of a work group of GROUP.

shared float partial[GROUP];

float group_sum(float value) {
    barrier();
    partial[gl_LocalInvocationID.x] = value;
    barrier();
    [[unroll]] for (uint step = GROUP / 2u; step > 0u; step /= 2u) {
        if (gl_LocalInvocationID.x < step) partial[gl_LocalInvocationID.x] += partial[gl_LocalInvocationID.x + step];
        barrier();
    }
    return partial[0];
}

float group_max(float value) {
    barrier();
    partial[gl_LocalInvocationID.x] = value;
    barrier();
    [[unroll]] for (uint step = GROUP / 2u; step > 0u; step /= 2u) {
        if (gl_LocalInvocationID.x < step)
            partial[gl_LocalInvocationID.x] = max(partial[gl_LocalInvocationID.x], partial[gl_LocalInvocationID.x + step]);
        barrier();
    }
    return partial[0];
}
