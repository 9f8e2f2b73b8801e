// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/recorded_difference_table.hpp"

#include <utility>

#include "engine/scheduler/explain.hpp"
#include "engine/session/messages.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"

namespace splitscope::ui {

void RecordedDifferenceTable::set_analysis(RecordedAnalysis analysis) {
    beginResetModel();
    analysis_ = std::move(analysis);
    endResetModel();
}

int RecordedDifferenceTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(analysis_.comparison.elsewhere.size());
}

int RecordedDifferenceTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

QVariant RecordedDifferenceTable::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const RecordedDifference& difference =
        analysis_.comparison.elsewhere[static_cast<std::size_t>(index.row())];
    if (role == kTensorRole) return difference.tensor.value;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    const Schedule& ours = *analysis_.ours->schedule;
    switch (index.column()) {
        case kTensor:
            return tensor_label(ours, difference.tensor);
        case kTheirs:
            return device_label(analysis_.ours->session, difference.recorded);
        case kOurs:
            return difference.ours.empty() ? tr("no backend")
                                           : device_label(analysis_.ours->session, difference.ours);
        case kCause: {
            const Cause cause = ours.cause[difference.tensor.index()];
            return QStringLiteral("%1 %2").arg(to_text(label_of(cause)), message_text(explain(cause)));
        }
        default:
            return {};
    }
}

QVariant RecordedDifferenceTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case kTensor:
            return tr("Tensor");
        case kTheirs:
            return tr("Program");
        case kOurs:
            return tr("Simulation");
        case kCause:
            return tr("Simulated cause");
        default:
            return {};
    }
}

QString RecordedDifferenceTable::text() const {
    const RecordedComparison& compared = analysis_.comparison;
    if (const auto& error = analysis_.ours->schedule->error)
        return tr("The simulation failed: %1").arg(message_text(error->message).toHtmlEscaped());
    const QString tensors = count_text(compared.compared);
    if (compared.same()) {
        return (compared.recorded_splits > 0
                    ? tr("<b>Same decisions</b>: %1, %2 with the same nodes and inputs")
                          .arg(message_text(msg::kTensors(compared.compared)),
                               message_text(msg::kSplitCount(compared.recorded_splits)))
                    : tr("<b>Same decisions</b>: %1 tensors; the program's splits are not known")
                          .arg(tensors)) +
               buffers_text();
    }
    QString text =
        tr("<b>%1</b> of %2 tensors are on other backends · splits: program %3, simulation %4")
            .arg(count_text(compared.elsewhere.size()), tensors,
                 compared.recorded_splits > 0 ? count_text(compared.recorded_splits) : tr("not known"),
                 count_text(compared.our_splits));
    if (compared.recorded_splits > 0)
        text += QStringLiteral(" · ") +
                tr("copies: program %1, simulation %2")
                    .arg(count_text(compared.recorded_copies), count_text(compared.our_copies));
    if (compared.first_split)
        text += QStringLiteral(" · ") + tr("first different split: %1").arg(compared.first_split->value);
    return text + buffers_text();
}

/// The program's scheduler keeps the buffers of its largest graph.
QString RecordedDifferenceTable::buffers_text() const {
    const std::vector<std::uint64_t>& held = analysis_.ours->session.file->recorded->compute_bytes;
    const auto& needed = analysis_.ours->plan->buffers;
    if (held.empty() || held.size() != needed.size()) return {};
    QStringList buffers;
    for (std::size_t b = 0; b < held.size(); ++b) {
        buffers.push_back(QStringLiteral("%1 %2 / %3")
                              .arg(device_label(*analysis_.ours, BackendId(b)).toHtmlEscaped(),
                                   bytes_text(held[b]), bytes_text(needed[b].size)));
    }
    return QStringLiteral(" · ") + tr("compute buffers, held by the program / needed by this graph: %1")
                                       .arg(buffers.join(QStringLiteral(", ")));
}

}  // namespace splitscope::ui
