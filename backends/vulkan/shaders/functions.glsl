// SPDX-License-Identifier: MIT
// Scalar functions that GLSL lacks or computes inexactly.

float exp_minus_1(float x) { return abs(x) < 0.01 ? x * (1.0 + x * (0.5 + x * (1.0 / 6.0))) : exp(x) - 1.0; }
float log_1_plus(float x) { return x < 0.01 ? x * (1.0 - x * (0.5 - x * (1.0 / 3.0))) : log(1.0 + x); }
/// Of a key that is not masked. Not 0, which would hide a value that is NaN.
float attention_weight(float score, float largest) {
    const float weight = exp(score - largest);
    return weight < 1.1754944e-38 ? 1.1754944e-38 : weight;
}
float sigmoid(float x) { return 1.0 / (1.0 + exp(-x)); }
float softplus(float x) { return x > 20.0 ? x : log_1_plus(exp(x)); }
float clamped(float x, float low, float high) { return x < low ? low : (x > high ? high : x); }
/// 0 instead of NaN: max() may ignore NaN, and keys that are all NaN would look masked.
float number_or_zero(float x) { return isnan(x) ? 0.0 : x; }
float hyperbolic_tangent(float x) {
    if (abs(x) < 0.05) return x * (1.0 - x * x * (1.0 / 3.0 - x * x * (2.0 / 15.0)));
    const float e = exp(-2.0 * abs(x));
    return sign(x) * (1.0 - e) / (1.0 + e);
}

/// Abramowitz and Stegun 7.1.26 is too coarse; this is the series below 2 and a continued fraction above.
float error_function(float x) {
    const float a = abs(x);
    if (a > 4.0) return sign(x);
    if (a < 2.0) {
        float term = x;
        float total = x;
        for (int n = 1; n < 24; ++n) {
            term *= -x * x / float(n);
            total += term / float(2 * n + 1);
        }
        return total * 1.12837916709551257;
    }
    float fraction = 0.0;
    for (int n = 24; n > 0; --n) fraction = 0.5 * float(n) / (a + fraction);
    return sign(x) * (1.0 - exp(-a * a) / ((a + fraction) * 1.77245385090551603));
}

/// ggml's CPU computes both by tables of F16, so the same rounding is needed for equal results.
float through_half(float x) { return f16_to_f32(f32_to_f16(x)); }
float gelu(float x) {
    if (x >= 10.0) return x;
    if (x <= -10.0) return 0.0;
    const float h = through_half(x);
    return through_half(0.5 * h * (1.0 + hyperbolic_tangent(0.79788456080286535588 * h * (1.0 + 0.044715 * h * h))));
}
float gelu_quick(float x) {
    const float h = through_half(x);
    return through_half(h / (1.0 + exp(-1.702 * h)));
}
float gelu_erf(float x) { return 0.5 * x * (1.0 + error_function(x * 0.70710678118654752)); }

/// x modulo 2π, with 2π in two parts to keep the low bits.
float reduced_angle(float x) {
    const float turns = floor(x * 0.15915494309189534 + 0.5);
    return fma(turns, 1.7484556e-7, fma(turns, -6.2831854820251465, x));
}
