// SPDX-License-Identifier: MIT
// What matrix products multiply: KIND 1 is MUL_MAT_ID, whose third source selects a matrix for each column.

/// The matrix for the columns of a plane.
uint64_t matrix_of_plane(const Tensor weights, const Tensor x, uvec4 c) {
    return weights.data + uint64_t(c.z / (x.ne[2] / weights.ne[2]) * weights.nb[2] +
                                   c.w / (x.ne[3] / weights.ne[3]) * weights.nb[3]);
}

struct Operands {
    uint64_t matrix;
    uint64_t column;
    uint expert;  ///< of MUL_MAT_ID
};

/// Operands of the result's column at `c`. Reports an expert that does not exist, and returns false.
bool find_operands(const Tensor weights, const Tensor x, uvec4 c, out Operands o) {
    o.expert = 0;
    if (KIND != 1) {
        o.matrix = matrix_of_plane(weights, x, c);
        o.column = ADDRESS(x, uvec4(0, c.yzw));
        return true;
    }
    const Tensor ids = node.src[2];
    o.expert = read_u32(ids.data + uint64_t(c.y * ids.nb[0] + c.z * ids.nb[1]));
    o.matrix = weights.data + uint64_t(o.expert * weights.nb[2]);
    o.column = x.data + uint64_t((c.y % x.ne[1]) * x.nb[1] + c.z * x.nb[2]);
    if (o.expert < weights.ne[2]) return true;
    report_fault();
    return false;
}
