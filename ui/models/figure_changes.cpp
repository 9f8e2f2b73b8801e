// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/figure_changes.hpp"

#include <QCoreApplication>
#include <algorithm>

#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

struct FigureChangesText {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::FigureChanges)
};

using Share = Summary::BackendShare;

const Share* share_named(const Machine& machine, const Summary& summary, const std::string& name) {
    for (const Share& share : summary.backends) {
        if (machine.backends[share.backend.index()].name == name) return &share;
    }
    return nullptr;
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

std::vector<FigureChange> figure_changes(const Machine& before_machine, const Summary& before,
                                         const Machine& after_machine, const Summary& after) {
    std::vector<FigureChange> changes;
    changes.push_back(count_change(FigureChangesText::tr("splits"), before.splits, after.splits));
    changes.push_back(count_change(FigureChangesText::tr("copies"), before.copies, after.copies));
    if (before.tokens > 0 && after.tokens > 0) {
        changes.push_back(bytes_change(FigureChangesText::tr("copied per token"),
                                       before.copied_bytes_per_token(), after.copied_bytes_per_token()));
    } else {
        changes.push_back(
            bytes_change(FigureChangesText::tr("copied per run"), before.copied_bytes, after.copied_bytes));
    }
    std::vector<std::string> names;
    for (const auto& backend : before_machine.backends) names.push_back(backend.name);
    for (const auto& backend : after_machine.backends) {
        if (std::ranges::find(names, backend.name) == names.end()) names.push_back(backend.name);
    }
    const Share none;
    for (const std::string& name : names) {
        const Share* found_before = share_named(before_machine, before, name);
        const Share* found_after = share_named(after_machine, after, name);
        const Share& x = found_before ? *found_before : none;
        const Share& y = found_after ? *found_after : none;
        changes.push_back(
            count_change(FigureChangesText::tr("nodes on %1").arg(to_text(name)), x.nodes, y.nodes));
        changes.push_back(bytes_change(FigureChangesText::tr("peak of %1").arg(to_text(name)),
                                       x.compute_bytes, y.compute_bytes));
        changes.push_back(bytes_change(FigureChangesText::tr("held by %1").arg(to_text(name)),
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
