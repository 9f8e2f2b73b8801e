// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <string>

namespace splitscope::ui {

/// What a table shows, with its titles, as CSV (RFC 4180). Rows below others follow them, with their depth in
/// a first column.
std::string table_csv(const QAbstractItemModel& model);

}  // namespace splitscope::ui
