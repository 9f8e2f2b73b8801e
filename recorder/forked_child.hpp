// SPDX-License-Identifier: MIT
#pragma once

namespace splitscope::recorder {

/// Call before is_forked_child() may matter.
void note_forks();

/// Whether this process was forked after note_forks(). Another thread may have held any lock at that moment,
/// and the channel belongs to the parent: such a process runs unwatched.
bool is_forked_child();

}  // namespace splitscope::recorder
