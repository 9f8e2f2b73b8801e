// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace splitscope::cli {

enum ExitCode : int {
    kOk = 0,
    kDifferent = 1,  ///< a difference was found, or a run failed
    kBadInput = 2,   ///< bad input or usage
    kInterrupted = 130,
};

}  // namespace splitscope::cli
