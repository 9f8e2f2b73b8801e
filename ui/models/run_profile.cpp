// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_profile.hpp"

#include <algorithm>
#include <map>

#include "engine/session/summary.hpp"
#include "engine/tensor/op_facts.hpp"
#include "ui/canvas/layout/layers.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"

namespace splitscope::ui {
namespace {

using std::chrono::nanoseconds;

/// Accumulates rows by key.
class Collector {
 public:
    Collector(const TimedRun& run, ProfileBy by)
        : analysis_(*run.analysis),
          schedule_(*analysis_.schedule),
          by_(by),
          layers_(layers_of_nodes(*schedule_.graph)) {
        layer_of_.assign(schedule_.graph->tensors.size(), -1);
        for (std::size_t p = 0; p < layers_.size(); ++p)
            layer_of_[schedule_.graph->nodes[p].index()] = layers_[p];
    }

    ProfileRow& of_node(TensorId node, std::size_t position, const ExecutionEvent& event) {
        const Tensor& t = schedule_.tensor(node);
        switch (by_) {
            case ProfileBy::op:
                return row(op_label(t), 0);
            case ProfileBy::layer:
                return of_layer(node);
            case ProfileBy::node:
                return row(tensor_label(schedule_, node), static_cast<std::int64_t>(position));
            default:
                return of_event(event);
        }
    }

    ProfileRow& of_event(const ExecutionEvent& event) {
        switch (by_) {
            case ProfileBy::backend:
                return row(device_label(analysis_, event.backend), event.backend.value);
            case ProfileBy::split:
                return row(ProfileTable::tr("split %1").arg(event.split.value), event.split.value);
            case ProfileBy::layer:
                if (event.tensor.valid()) return of_layer(event.tensor);
                return row(without_node(event), -2);
            default:
                return row(without_node(event), -2);
        }
    }

    static QString without_node(const ExecutionEvent& event) {
        switch (event.kind) {
            case ExecutionEventKind::compute:
                return ProfileTable::tr("between nodes");
            case ExecutionEventKind::wait:
                return ProfileTable::tr("waiting");
            default:
                return ProfileTable::tr("copies between backends");
        }
    }

    std::vector<ProfileRow> take() {
        std::vector<ProfileRow> rows;
        for (auto& [key, row] : rows_) rows.push_back(std::move(row));
        return rows;
    }

 private:
    ProfileRow& of_layer(TensorId tensor) {
        const std::int32_t layer = tensor.index() < layer_of_.size() ? layer_of_[tensor.index()] : -1;
        if (layer < 0) return row(ProfileTable::tr("outside the layers"), -1);
        return row(ProfileTable::tr("layer %1").arg(layer), layer);
    }
    ProfileRow& row(const QString& name, std::int64_t order) {
        ProfileRow& found = rows_[{order, name}];
        found.name = name;
        found.order = order;
        return found;
    }

    const Analysis& analysis_;
    const Schedule& schedule_;
    ProfileBy by_;
    std::vector<std::int32_t> layers_;
    std::vector<std::int32_t> layer_of_;
    std::map<std::pair<std::int64_t, QString>, ProfileRow> rows_;
};

void meet(ProfileRow& row, BackendId backend) {
    if (row.mixed) return;
    if (row.backend.valid() && row.backend != backend) {
        row.mixed = true;
        row.backend = {};
        return;
    }
    row.backend = backend;
}

/// In bytes per nanosecond; 0 if not known.
double bandwidth(const ProfileRow& row) {
    return row.compute.count() > 0 ? row.touched.value_or(0) / static_cast<double>(row.compute.count()) : 0;
}

}  // namespace

QString time_text(nanoseconds time) {
    const auto ns = static_cast<double>(time.count());
    const auto digits = [](double value) { return value < 10 ? 2 : value < 100 ? 1 : 0; };
    if (ns < 1e6) return QStringLiteral("%1 µs").arg(ns / 1e3, 0, 'f', digits(ns / 1e3));
    if (ns < 1e9) return QStringLiteral("%1 ms").arg(ns / 1e6, 0, 'f', digits(ns / 1e6));
    return QStringLiteral("%1 s").arg(ns / 1e9, 0, 'f', digits(ns / 1e9));
}

Profile make_profile(const TimedRun& run, ProfileBy by, const JobContext& job) {
    Profile profile;
    if (!run) return profile;
    const Schedule& schedule = *run.analysis->schedule;
    const std::vector<TensorId> nodes = nodes_in_order(schedule);
    const GraphView view(*schedule.graph);
    Collector collector(run, by);
    std::vector<double> shares;
    for (const ExecutionEvent& event : run.execution->events) {
        job.check();
        const nanoseconds time = event.end - event.start;
        if (event.kind != ExecutionEventKind::compute) {
            ProfileRow& row = collector.of_event(event);
            meet(row, event.backend);
            (event.kind == ExecutionEventKind::wait ? row.wait : row.copy) += time;
            row.bytes += event.bytes;
            continue;
        }
        shares.clear();
        double sum = 0;
        std::size_t computing = 0;
        for (std::size_t p = event.first_node; p <= event.last_node && p < nodes.size(); ++p) {
            const double flops = node_flops(view, nodes[p]);
            const bool is_view = is_view_op(schedule.tensor(nodes[p]).op);
            // A minimum per node, so that nodes without such operations get a share.
            shares.push_back(is_view ? 0 : flops + 1);
            sum += shares.back();
            computing += is_view ? 0 : 1;
        }
        // Views compute nothing: a time of theirs is that of stepping to them.
        if (computing == 0) {
            ProfileRow& row = collector.of_event(event);
            meet(row, event.backend);
            row.wait += time;
            continue;
        }
        if (computing > 1 && by != ProfileBy::backend && by != ProfileBy::split) profile.estimated = true;
        for (std::size_t i = 0; i < shares.size(); ++i) {
            if (shares[i] == 0) continue;
            const TensorId node = nodes[event.first_node + i];
            const nanoseconds own(
                static_cast<std::int64_t>(static_cast<double>(time.count()) * shares[i] / sum));
            ProfileRow& row = collector.of_node(node, event.first_node + i, event);
            meet(row, event.backend);
            row.compute += own;
            ++row.count;
            row.flops += std::max(0.0, shares[i] - 1);
            // What a kernel of several nodes need not write is not known.
            if (computing > 1)
                row.touched.reset();
            else if (row.touched)
                *row.touched += node_bytes(view, node);
            if (!row.slowest.valid() || own > row.slowest_time) {
                row.slowest = node;
                row.slowest_time = own;
            }
        }
    }
    profile.rows = collector.take();
    for (const ProfileRow& row : profile.rows) profile.total += row.total();
    return profile;
}

void ProfileTable::set_profile(Profile profile, std::shared_ptr<const Analysis> analysis) {
    beginResetModel();
    profile_ = std::move(profile);
    analysis_ = std::move(analysis);
    sum_ = {};
    sum_.name = tr("Total");
    for (const ProfileRow& row : profile_.rows) {
        sum_.count += row.count;
        sum_.compute += row.compute;
        sum_.copy += row.copy;
        sum_.wait += row.wait;
        sum_.bytes += row.bytes;
        sum_.flops += row.flops;
        if (sum_.touched && row.touched)
            *sum_.touched += *row.touched;
        else
            sum_.touched.reset();
    }
    endResetModel();
    sort(sort_column_, sort_order_);
}

int ProfileTable::row_of_slowest(TensorId node) const {
    const auto found = std::ranges::find(profile_.rows, node, &ProfileRow::slowest);
    return found == profile_.rows.end() || !node.valid() ? -1
                                                         : static_cast<int>(found - profile_.rows.begin());
}

int ProfileTable::rowCount(const QModelIndex& parent) const {
    if (parent.isValid() || profile_.rows.empty()) return 0;
    return static_cast<int>(profile_.rows.size()) + 1;
}

int ProfileTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

QVariant ProfileTable::text_of(const ProfileRow& row, int column) const {
    switch (column) {
        case kName:
            return row.name;
        case kBackend:
            return row.mixed ? tr("several") : device_label(*analysis_, row.backend);
        case kCount:
            return row.count > 0 ? count_text(row.count) : QString();
        case kCompute:
            return row.count > 0 ? time_text(row.compute) : QString();
        case kCopy:
            return row.copy.count() + row.wait.count() > 0 ? time_text(row.copy + row.wait) : QString();
        case kTotal:
            return time_text(row.total());
        case kShare:
            return QStringLiteral("%1 %").arg(profile_.total.count() > 0
                                                  ? 100.0 * static_cast<double>(row.total().count()) /
                                                        static_cast<double>(profile_.total.count())
                                                  : 0.0,
                                              0, 'f', 1);
        case kBandwidth:
            return bandwidth(row) > 0 ? QString::number(bandwidth(row), 'f', 2) : QString();
        case kSpeed:
            return row.compute.count() > 0 && row.flops > 0
                       ? QString::number(row.flops / static_cast<double>(row.compute.count()), 'f', 2)
                       : QString();
        case kSlowest:
            return row.slowest.valid() ? tensor_label(*analysis_->schedule, row.slowest) : QString();
        default:
            return {};
    }
}

QVariant ProfileTable::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const bool total = is_total(index.row());
    const ProfileRow& row = total ? sum_ : profile_.rows[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            if (total && index.column() == kBackend) return {};
            return text_of(row, index.column());
        case Qt::TextAlignmentRole:
            if (index.column() == kName || index.column() == kBackend || index.column() == kSlowest)
                return {};
            return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        case Qt::ToolTipRole:
            if (index.column() == kCopy && row.bytes > 0) return tr("%1 copied").arg(bytes_text(row.bytes));
            return {};
        case kTensorRole:
            return row.slowest.value;
        case kBackendRole:
            return index.column() == kBackend && !total && row.backend.valid() ? QVariant(row.backend.value)
                                                                               : QVariant();
        case kShareRole:
            return index.column() == kShare && !total && profile_.total.count() > 0
                       ? QVariant(static_cast<double>(row.total().count()) /
                                  static_cast<double>(profile_.total.count()))
                       : QVariant();
        default:
            return {};
    }
}

QVariant ProfileTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::DisplayRole) {
        const QString titles[] = {tr("Name"),    tr("Backend"),     tr("Nodes"), tr("Computing"),
                                  tr("Other"),   tr("Total"),       tr("Share"), tr("GB/s"),
                                  tr("GFLOP/s"), tr("Slowest node")};
        return section >= 0 && section < kColumnCount ? titles[section] : QString();
    }
    if (role != Qt::ToolTipRole) return {};
    switch (section) {
        case kCount:
            return tr("Nodes computed; view operations compute nothing");
        case kCompute:
            return tr("Computing time of the backends");
        case kCopy:
            return tr("Time of copies between backends, of waits, and between nodes");
        case kShare:
            return tr("Of the sum of all times");
        case kBandwidth:
            return tr(
                "Weights, inputs and results that nodes read and write, in bytes per nanosecond of "
                "computing; only if every node was timed");
        case kSpeed:
            return tr("Floating-point operations per nanosecond: multiply and add count as two");
        default:
            return {};
    }
}

void ProfileTable::sort(int column, Qt::SortOrder order) {
    sort_column_ = column;
    sort_order_ = order;
    beginResetModel();
    const auto by = [this, order](auto key) {
        std::ranges::stable_sort(profile_.rows, std::ranges::less{}, &ProfileRow::order);
        if (order == Qt::AscendingOrder) {
            std::ranges::stable_sort(profile_.rows, std::ranges::less{}, key);
        } else {
            std::ranges::stable_sort(profile_.rows, std::ranges::greater{}, key);
        }
    };
    switch (column) {
        case kName:
            by([](const ProfileRow& row) { return std::pair(row.order, row.name); });
            break;
        case kBackend:
            by([](const ProfileRow& row) { return row.backend.value; });
            break;
        case kCount:
            by([](const ProfileRow& row) { return row.count; });
            break;
        case kCompute:
            by([](const ProfileRow& row) { return row.compute.count(); });
            break;
        case kCopy:
            by([](const ProfileRow& row) { return (row.copy + row.wait).count(); });
            break;
        case kBandwidth:
            by(bandwidth);
            break;
        case kSpeed:
            by([](const ProfileRow& row) {
                return row.compute.count() > 0 ? row.flops / static_cast<double>(row.compute.count()) : 0.0;
            });
            break;
        case kSlowest:
            by([](const ProfileRow& row) { return row.slowest.value; });
            break;
        default:
            by([](const ProfileRow& row) { return row.total().count(); });
    }
    endResetModel();
}

}  // namespace splitscope::ui
