// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/execution/execution.hpp"
#include "engine/session/session.hpp"

namespace splitscope::ui {

/// One run of one schedule: prompt or token.
struct TimedRun {
    std::shared_ptr<const Analysis>
        analysis;  ///< the schedule that was run; may differ from the open document
    std::shared_ptr<const Execution> execution;

    explicit operator bool() const { return analysis && execution; }
};

enum class ProfileBy { op, layer, backend, split, node };

/// A row of a profile: a sum over nodes.
struct ProfileRow {
    QString name;
    std::int64_t order = 0;  ///< sort key of ties: layer, split, position
    BackendId backend;       ///< none when several
    bool mixed = false;      ///< computed by several backends
    std::size_t count = 0;   ///< nodes computed
    std::chrono::nanoseconds compute{};
    std::chrono::nanoseconds copy{};
    std::chrono::nanoseconds wait{};
    std::uint64_t bytes = 0;  ///< copied
    double flops = 0;
    std::optional<double> touched = 0;  ///< bytes read and written by nodes; none if not known
    TensorId slowest;                   ///< the slowest node, in the run's graph
    std::chrono::nanoseconds slowest_time{};

    std::chrono::nanoseconds total() const { return compute + copy + wait; }
};

/// Rows of a profile, slowest first. The time of nodes computed together is divided in proportion to their
/// floating-point operations; `estimated` is set then. Copies and waits are attributed to their destination,
/// and the time of views alone to waits.
struct Profile {
    std::vector<ProfileRow> rows;
    std::chrono::nanoseconds total{};
    bool estimated = false;
};
Profile make_profile(const TimedRun& run, ProfileBy by, const JobContext& job = {});

/// A profile as a table with totals in the last row.
class ProfileTable : public QAbstractTableModel {
    Q_OBJECT
 public:
    enum Column : int {
        kName,
        kBackend,
        kCount,
        kCompute,
        kCopy,
        kTotal,
        kShare,
        kBandwidth,
        kSpeed,
        kSlowest,
        kColumnCount
    };
    static constexpr int kShareRole = Qt::UserRole + 20;  ///< share of the total, in [0, 1]

    explicit ProfileTable(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void set_profile(Profile profile, std::shared_ptr<const Analysis> analysis);
    const Profile& profile() const { return profile_; }
    /// The row of a node's backend, operation or the node itself; -1 if there is none. Refers to the run's
    /// graph.
    int row_of_slowest(TensorId node) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

 private:
    bool is_total(int row) const { return row == static_cast<int>(profile_.rows.size()); }
    QVariant text_of(const ProfileRow& row, int column) const;

    Profile profile_;
    ProfileRow sum_;
    std::shared_ptr<const Analysis> analysis_;
    int sort_column_ = kTotal;
    Qt::SortOrder sort_order_ = Qt::DescendingOrder;
};

/// "1.24 ms", "380 µs".
QString time_text(std::chrono::nanoseconds time);

}  // namespace splitscope::ui
