// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/figure_changes.hpp"

#include <QCoreApplication>
#include <algorithm>

#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

struct FigureChangesText {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::FigureChanges)
};

using Share = Summary::BackendShare;

/// The user's name of a device: another product with the same backend name is another device.
QString label_of(const Analysis& analysis, const Share& share) {
    return device_label(analysis.session, analysis.machine->backends[share.backend.index()].name);
}

QStringList labels_of(const Analysis& analysis, const Summary& figures) {
    QStringList labels;
    for (const Share& share : figures.backends) labels += label_of(analysis, share);
    return labels;
}

const Share* share_labelled(const Analysis& analysis, const Summary& figures, const QString& label) {
    const auto found = std::ranges::find_if(
        figures.backends, [&](const Share& share) { return label_of(analysis, share) == label; });
    return found == figures.backends.end() ? nullptr : &*found;
}

FigureChange count_change(const QString& name, std::size_t before, std::size_t after) {
    return {name, count_text(before), count_text(after),
            static_cast<double>(after) - static_cast<double>(before)};
}

FigureChange bytes_change(const QString& name, std::uint64_t before, std::uint64_t after) {
    return {name, bytes_text(before), bytes_text(after),
            static_cast<double>(after) - static_cast<double>(before)};
}

}  // namespace

std::vector<FigureChange> figure_changes(const Analysis& before, const Summary& before_figures,
                                         const Analysis& after, const Summary& after_figures) {
    std::vector<FigureChange> changes;
    const Summary& old = before_figures;
    const Summary& now = after_figures;
    const QStringList old_labels = labels_of(before, old);
    QStringList labels = labels_of(after, now);
    if (labels != old_labels) {
        const QString comma = QStringLiteral(", ");
        changes.push_back({FigureChangesText::tr("devices"), old_labels.join(comma), labels.join(comma), 1});
    }
    changes.push_back(count_change(FigureChangesText::tr("splits"), old.splits, now.splits));
    changes.push_back(count_change(FigureChangesText::tr("copies"), old.copies, now.copies));
    if (old.tokens > 0 && now.tokens > 0) {
        changes.push_back(bytes_change(FigureChangesText::tr("copied per token"),
                                       old.copied_bytes_per_token(), now.copied_bytes_per_token()));
    } else {
        changes.push_back(
            bytes_change(FigureChangesText::tr("copied per run"), old.copied_bytes, now.copied_bytes));
    }
    // Figures of a device that one side lacks would look like an effect of the change.
    labels.removeIf([&](const QString& label) { return !old_labels.contains(label); });
    labels.removeDuplicates();
    for (const QString& label : labels) {
        const Share& x = *share_labelled(before, old, label);
        const Share& y = *share_labelled(after, now, label);
        changes.push_back(count_change(FigureChangesText::tr("nodes on %1").arg(label), x.nodes, y.nodes));
        changes.push_back(bytes_change(FigureChangesText::tr("compute buffer of %1").arg(label),
                                       x.compute_bytes, y.compute_bytes));
        changes.push_back(bytes_change(FigureChangesText::tr("weights and caches on %1").arg(label),
                                       x.weights_bytes + x.cache_bytes, y.weights_bytes + y.cache_bytes));
    }
    return changes;
}

QString changes_text(const std::vector<FigureChange>& changes) {
    QStringList parts;
    for (const FigureChange& change : changes) {
        if (!change.changed()) continue;
        parts += QStringLiteral("%1 %2 → %3").arg(change.name, change.before, change.after);
    }
    return parts.isEmpty() ? FigureChangesText::tr("no difference") : parts.join(QStringLiteral(" · "));
}

}  // namespace splitscope::ui
