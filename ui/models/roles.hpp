// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace splitscope::ui {

/// What a row speaks of, for linking tables with the selection; -1 = none.
enum Role : int {
    kTensorRole = Qt::UserRole + 1,
    kSplitRole,
    kDecisionRole,  ///< number of decisions applied once this row's decision has been taken
    kBackendRole,   ///< of a cell that names a backend
    kSortRole,
};

}  // namespace splitscope::ui
