// SPDX-License-Identifier: MIT
#pragma once

namespace splitscope {

// How the allocator deals with freed memory. No effect with other C libraries than glibc.

/// For commands, which end soon: keeps freed memory for later allocations. By default, glibc returns most of
/// what a schedule has used to the system, and getting it back can take several times as long as scheduling.
void keep_freed_memory();

/// For long-running programs: makes the allocator return large blocks to the system when they are freed. By
/// default, glibc raises its threshold up to 32 MiB and keeps such blocks in its heap, where small long-lived
/// ones pin them.
void return_large_blocks();

}  // namespace splitscope
