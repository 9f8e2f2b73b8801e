// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <string>

namespace splitscope::ui {

/// The visible contents of a table with its titles as CSV (RFC 4180). Child rows follow their parents, with
/// their depth in the first column.
std::string table_csv(const QAbstractItemModel& model);

}  // namespace splitscope::ui
