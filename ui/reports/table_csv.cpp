// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reports/table_csv.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

#include "engine/reports/escape.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "ui/models/messages.hpp"

namespace splitscope::ui {
namespace {

constexpr int kRowsPerTurn = 500;
constexpr auto kPoll = std::chrono::milliseconds(20);

bool is_tree(const QAbstractItemModel& model) {
    for (int row = 0; row < model.rowCount(); ++row) {
        if (model.hasChildren(model.index(row, 0))) return true;
    }
    return false;
}

}  // namespace

TableReader::TableReader(const QAbstractItemModel& model) : model_(&model), tree_(is_tree(model)) {
    levels_.push_back({});
    const auto change = [this] { changed_ = true; };
    connect(&model, &QAbstractItemModel::modelReset, this, change);
    connect(&model, &QAbstractItemModel::layoutChanged, this, change);
    connect(&model, &QAbstractItemModel::rowsInserted, this, change);
    connect(&model, &QAbstractItemModel::rowsRemoved, this, change);
}

void TableReader::add_header(std::string& csv) const {
    if (tree_) csv += "level,";
    for (int column = 0; column < model_->columnCount(); ++column) {
        if (column > 0) csv += ',';
        csv += escape_csv(model_->headerData(column, Qt::Horizontal).toString().toStdString());
    }
    csv += "\r\n";
}

void TableReader::add_row(const QModelIndex& parent, int row, std::string& csv) const {
    if (tree_) csv += std::to_string(levels_.size() - 1) + ",";
    for (int column = 0; column < model_->columnCount(parent); ++column) {
        if (column > 0) csv += ',';
        csv += escape_csv(model_->index(row, column, parent).data().toString().toStdString());
    }
    csv += "\r\n";
}

std::string TableReader::read(int rows) {
    if (changed_ || !model_) throw Error(ErrorKind::usage, msg::kTableChanged, {}, msg::kSaveTableAgain);
    std::string csv;
    if (!std::exchange(started_, true)) add_header(csv);
    while (rows > 0 && !levels_.empty()) {
        Level& level = levels_.back();
        if (level.row >= model_->rowCount(level.parent)) {
            levels_.pop_back();
            continue;
        }
        add_row(level.parent, level.row, csv);
        --rows;
        const QModelIndex here = model_->index(level.row, 0, level.parent);
        ++level.row;
        if (tree_ && model_->hasChildren(here)) levels_.push_back({here, 0});
    }
    return csv;
}

double TableReader::progress() const {
    if (levels_.empty() || !model_) return 1;
    return static_cast<double>(levels_.front().row) / std::max(1, model_->rowCount());
}

std::function<void(const JobContext&)> csv_export(const QAbstractItemModel& model, const QString& path) {
    // Destroyed on its own thread.
    const std::shared_ptr<TableReader> reader(new TableReader(model),
                                              [](TableReader* last) { last->deleteLater(); });
    return [reader, path](const JobContext& job) {
        std::string csv;
        while (true) {
            struct Turn {
                std::string rows;
                double progress;
            };
            auto promise = std::make_shared<std::promise<Turn>>();
            std::future<Turn> answer = promise->get_future();
            QMetaObject::invokeMethod(
                reader.get(),
                [reader, promise] {
                    try {
                        std::string rows = reader->read(kRowsPerTurn);
                        promise->set_value({std::move(rows), reader->progress()});
                    } catch (...) {
                        promise->set_exception(std::current_exception());
                    }
                },
                Qt::QueuedConnection);
            // Not blocking: the thread of the model may be waiting for this job to stop.
            while (answer.wait_for(kPoll) != std::future_status::ready) job.check();
            const Turn turn = answer.get();
            if (turn.rows.empty()) break;
            csv += turn.rows;
            job.report(turn.progress, msg::kReadingRows);
            job.check();
        }
        job.report(-1, msg::kWriting);
        write_file_atomically(path.toStdString(), csv);
    };
}

}  // namespace splitscope::ui
