// SPDX-License-Identifier: MIT
#pragma once

namespace splitscope {

/// For a program that stays open for days: large blocks of memory go back to the system as soon as they are
/// freed. glibc otherwise keeps ever larger ones (up to 32 MiB) in its heap, where small ones that live long
/// hold them. Does nothing with other C libraries.
void give_large_blocks_back();

}  // namespace splitscope
