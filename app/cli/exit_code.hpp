// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace splitscope::cli {

enum ExitCode : int {
    kOk = 0,
    kDifferent = 1,  ///< a difference was found, a model does not fit or cannot run, or a run failed
    kBadInput = 2,   ///< bad usage, or a file that cannot be read
    kInterrupted = 130,
    kReaderGone = 141,  ///< no program reads its standard output any more; as after SIGPIPE
};

}  // namespace splitscope::cli
