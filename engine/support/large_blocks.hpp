// SPDX-License-Identifier: MIT
#pragma once

namespace splitscope {

/// For long-running programs: makes the allocator return large blocks to the system when they are freed. By
/// default, glibc raises its threshold up to 32 MiB and keeps such blocks in its heap, where small long-lived
/// ones pin them. No effect with other C libraries.
void return_large_blocks();

}  // namespace splitscope
