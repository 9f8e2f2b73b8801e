// SPDX-License-Identifier: MIT

/// ALiBi slope of a head: a geometric sequence over the heads; 1 without a bias.
float alibi_slope(float max_bias, uint head, uint heads) {
    if (max_bias <= 0.0) return 1.0;
    const uint power_of_two = 1u << findMSB(heads);
    if (head < power_of_two) return exp2(-max_bias / float(power_of_two) * float(head + 1u));
    return exp2(-max_bias / 2.0 / float(power_of_two) * float(2u * (head - power_of_two) + 1u));
}
