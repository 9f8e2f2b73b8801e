// SPDX-License-Identifier: MIT
// Fusion of matrix products. OPTION1: up to three products of the same columns, whose rows are numbered
// consecutively; product p > 0 has weights, result and addend in node.more from 3 (p - 1) on. OPTION3: number of
// addends, two bits per product, then a bit per product: the first addend has a row for each expert; those of the
// first product are sources 3 and 4. OPTION4: if not 0, two products form one result, gated by GluKind OPTION4 - 1.
#include "functions.glsl"
#include "gates.glsl"

const uint SIDES = OPTION4 != 0 ? 2 : 1;

/// The product of a work group with `rows` rows; `group` becomes its number within that product.
uint product_of(const uint rows, inout uint group) {
    if (OPTION1 < 2 || OPTION4 != 0) return 0;
    const uint first = (node.dst.ne[0] + rows - 1u) / rows;
    if (group < first) return 0;
    group -= first;
    if (OPTION1 < 3) return 1;
    const uint second = (node.more[1].ne[0] + rows - 1u) / rows;
    if (group < second) return 1;
    group -= second;
    return 2;
}

/// A tensor of the product: `of_first` for product 0, else from `node.more`.
#define OF_PRODUCT(t, product, of_first, place) \
    Tensor t = of_first;                        \
    if (product == 1) t = node.more[place];     \
    if (product == 2) t = node.more[3 + place];

float addend(const Tensor t, uvec4 c) {
    return read_f32(ADDRESS(t, (c % uvec4(t.ne[0], t.ne[1], t.ne[2], t.ne[3]))));
}

/// The element at `c` of a product plus its addends. `expert`: whose matrix was multiplied, of MUL_MAT_ID.
float with_addends(const uint product, uvec4 c, uint expert, float value) {
    const uint count = (OPTION3 >> (2u * product)) & 3u;
    if (count > 0) {
        const uvec4 at = ((OPTION3 >> (6u + product)) & 1u) != 0u ? uvec4(c.x, expert, 0, 0) : c;
        if (product == 0) value += addend(node.src[3], at);
        else if (product == 1) value += addend(node.more[2], at);
        else value += addend(node.more[5], at);
    }
    if (product == 0 && count > 1) value += addend(node.src[4], c);
    return value;
}
