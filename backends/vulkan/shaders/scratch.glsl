// SPDX-License-Identifier: MIT
/// Counters at the start of node.scratch: kScratchCounters of scratch.hpp.
const uint COUNTERS = 4096;
