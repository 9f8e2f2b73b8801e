// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/difference_table.hpp"

#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"

namespace splitscope::ui {

void DifferenceTableModel::set_comparison(std::shared_ptr<const Comparison> comparison) {
    beginResetModel();
    comparison_ = std::move(comparison);
    rebuild();
    endResetModel();
}

void DifferenceTableModel::set_filter(const Filter& filter) {
    beginResetModel();
    filter_ = filter;
    rebuild();
    endResetModel();
}

void DifferenceTableModel::rebuild() {
    rows_.clear();
    if (!comparison_) return;
    for (std::size_t t = 0; t < comparison_->tensors.size(); ++t) {
        const ComparedTensor& tensor = comparison_->tensors[t];
        if (filter_.only_elsewhere && !tensor.elsewhere) continue;
        if (filter_.pass && tensor.pass != filter_.pass) continue;
        rows_.push_back(t);
    }
}

int DifferenceTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int DifferenceTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

QString DifferenceTableModel::decision_text(const Analysis& analysis,
                                            const std::optional<std::size_t>& number) const {
    if (!number) return QStringLiteral("–");
    const Decision& decision = analysis.schedule->decisions[*number];
    const QString label = to_text(label_of(decision.cause));
    return QStringLiteral("%1 → %2").arg(label.isEmpty() ? tr("(no cause)") : label,
                                         backend_label(*analysis.machine, decision.to));
}

QString DifferenceTableModel::end_text(const Analysis& analysis, TensorId tensor) const {
    if (!tensor.valid()) return tr("absent");
    const auto& backends = analysis.schedule->backend;
    return backend_label(*analysis.machine,
                         tensor.index() < backends.size() ? backends[tensor.index()] : BackendId());
}

QVariant DifferenceTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const ComparedTensor& tensor = at(index.row());
    const Analysis& named = tensor.a.valid() ? *comparison_->a : *comparison_->b;
    const TensorId id = tensor.a.valid() ? tensor.a : tensor.b;
    switch (role) {
        case Qt::DisplayRole:
            switch (index.column()) {
                case kTensor:
                    return tensor_label(*named.schedule, id);
                case kOp:
                    return op_label(named.schedule->tensor(id));
                case kPass:
                    return tensor.pass ? to_text(name_of(*tensor.pass)) : QStringLiteral("–");
                case kDecisionA:
                    return decision_text(*comparison_->a, tensor.decision_a);
                case kDecisionB:
                    return decision_text(*comparison_->b, tensor.decision_b);
                case kEndA:
                    return end_text(*comparison_->a, tensor.a);
                case kEndB:
                    return end_text(*comparison_->b, tensor.b);
                default:
                    return {};
            }
        case kTensorRole:
            return id.value;
        case kBackendRole:
            if (index.column() == kEndA && tensor.a.valid()) {
                return comparison_->a->schedule->backend[tensor.a.index()].value;
            }
            if (index.column() == kEndB && tensor.b.valid()) {
                return comparison_->b->schedule->backend[tensor.b.index()].value;
            }
            return {};
        default:
            return {};
    }
}

QVariant DifferenceTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    const QString a = comparison_ ? comparison_->name_a : QStringLiteral("A");
    const QString b = comparison_ ? comparison_->name_b : QStringLiteral("B");
    switch (section) {
        case kTensor:
            return tr("Tensor");
        case kOp:
            return tr("Operation");
        case kPass:
            return tr("Pass");
        case kDecisionA:
            return tr("Decision of %1").arg(a);
        case kDecisionB:
            return tr("Decision of %1").arg(b);
        case kEndA:
            return tr("In the end, %1").arg(a);
        case kEndB:
            return tr("In the end, %1").arg(b);
        default:
            return {};
    }
}

}  // namespace splitscope::ui
