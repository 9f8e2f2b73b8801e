// SPDX-License-Identifier: MIT
// The order of elements in ARGSORT and TOP_K: the rank of an element is the number of elements that precede it.

/// NaN is smaller than every number, so that the order is total.
bool less(float a, float b) { return a < b || (isnan(a) && !isnan(b)); }

/// Whether `a` at index `i` precedes `b` at index `j`. Equal elements keep their order.
bool precedes(float a, uint i, float b, uint j, const bool descending) {
    const bool first = descending ? less(b, a) : less(a, b);
    const bool later = descending ? less(a, b) : less(b, a);
    return first || (!later && i < j);
}
