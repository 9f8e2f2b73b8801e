// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QPointer>
#include <QString>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/support/job.hpp"

namespace splitscope::ui {

/// Reads a table as CSV, as sorted and filtered, a few rows at a time; rows of a tree begin with their level.
/// Used on the thread of the model.
class TableReader : public QObject {
    Q_OBJECT
 public:
    explicit TableReader(const QAbstractItemModel& model);

    /// The next rows, the first time after the header; empty at the end. Throws Error if the table has
    /// changed.
    std::string read(int rows);
    /// Share of the outer rows that were read.
    double progress() const;

 private:
    struct Level {
        QModelIndex parent;
        int row = 0;
    };
    void add_header(std::string& csv) const;
    void add_row(const QModelIndex& parent, int row, std::string& csv) const;

    QPointer<const QAbstractItemModel> model_;
    bool tree_ = false;
    bool started_ = false;
    bool changed_ = false;
    std::vector<Level> levels_;
};

/// A job that reads a table on the calling thread, in short turns, and writes it as a CSV file.
std::function<void(const JobContext&)> csv_export(const QAbstractItemModel& model, const QString& path);

}  // namespace splitscope::ui
