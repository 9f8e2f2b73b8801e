// SPDX-License-Identifier: MIT
#pragma once

namespace splitscope {

// Tuning of malloc for freed memory. No effect with C libraries other than glibc.

/// For short-lived commands: keeps freed memory for later allocations. By default, glibc returns most of the
/// memory of a schedule to the system; faulting it in again can take several times as long as scheduling.
void keep_freed_memory();

/// For long-running programs: makes the allocator return large blocks to the system when they are freed. By
/// default, glibc raises its threshold up to 32 MiB and keeps such blocks in its heap, where small long-lived
/// ones pin them.
void return_large_blocks();

}  // namespace splitscope
