// SPDX-License-Identifier: MIT
#pragma once

namespace splitscope::recorder {

/// Registers the fork handler. Call once, before the first is_forked_child().
void note_forks();

/// Whether this process was forked after note_forks(). The agent is inactive in such a process: another
/// thread may have held a lock during the fork, and the channel belongs to the parent.
bool is_forked_child();

}  // namespace splitscope::recorder
