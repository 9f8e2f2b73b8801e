// SPDX-License-Identifier: MIT
// Gated activations, by GluKind. Needs functions.glsl.

float gated(const uint kind, float x, float gate) {
    switch (kind) {
        case 0: return max(x, 0.0) * gate;
        case 1: return gelu(x) * gate;
        case 2: return x * sigmoid(x) * gate;
        case 3: {
            const float a = min(x, param(3));
            const float g = clamp(gate, -param(3), param(3));
            return a / (1.0 + exp(-param(2) * a)) * (g + 1.0);
        }
        case 4: return gelu_erf(x) * gate;
        default: return gelu_quick(x) * gate;
    }
}
