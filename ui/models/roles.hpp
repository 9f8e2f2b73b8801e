// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace splitscope::ui {

/// Item roles that link table rows with the selection; -1 = none.
enum Role : int {
    kTensorRole = Qt::UserRole + 1,
    kSplitRole,
    kDecisionRole,      ///< number of applied decisions after this row's decision
    kBackendRole,       ///< for cells with a backend's name
    kOtherBackendRole,  ///< if the cell has a second one
    kSortRole,
};

}  // namespace splitscope::ui
