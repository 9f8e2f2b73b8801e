// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/figure_changes.hpp"

#include <QCoreApplication>
#include <algorithm>

#include "engine/messages/format_number.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/verdict_text.hpp"

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
            static_cast<double>(after) - static_cast<double>(before), false};
}

FigureChange bytes_change(const QString& name, std::uint64_t before, std::uint64_t after) {
    return {name, bytes_text(before), bytes_text(after),
            static_cast<double>(after) - static_cast<double>(before), false};
}

FigureChange setup_change(const QString& name, const QString& before, const QString& after) {
    return {name, before, after, before == after ? 0.0 : 1.0, true};
}

constexpr QLatin1String kNoSpeed("-");

/// Without an estimate, or if the model does not fit, there is no speed.
QString speed(const ModelPlan& plan, double tokens_per_second) {
    return plan.fits() && tokens_per_second > 0 ? to_text(format_figure(tokens_per_second))
                                                : QString(kNoSpeed);
}

void add_setup(const Figures& before, const Figures& after, std::vector<FigureChange>& changes) {
    if (before.plan == nullptr || after.plan == nullptr) return;
    const ModelPlan& x = *before.plan;
    const ModelPlan& y = *after.plan;
    changes.push_back(setup_change(FigureChangesText::tr("verdict"),
                                   brief_verdict_text(x, before.analysis.session),
                                   brief_verdict_text(y, after.analysis.session)));
    const auto add_speed = [&](const QString& name, const QString& old, const QString& now) {
        if (old != kNoSpeed || now != kNoSpeed) changes.push_back(setup_change(name, old, now));
    };
    if (x.generates() || y.generates())
        add_speed(FigureChangesText::tr("tokens/s"), speed(x, x.tokens_per_second()),
                  speed(y, y.tokens_per_second()));
    add_speed(FigureChangesText::tr("prompt tokens/s"), speed(x, x.prompt_tokens_per_second()),
              speed(y, y.prompt_tokens_per_second()));
}

}  // namespace

std::vector<FigureChange> figure_changes(const Figures& before, const Figures& after) {
    std::vector<FigureChange> changes;
    add_setup(before, after, changes);
    const Summary& old = before.summary;
    const Summary& now = after.summary;
    const QStringList old_labels = labels_of(before.analysis, old);
    QStringList labels = labels_of(after.analysis, now);
    if (labels != old_labels) {
        const QString comma = QStringLiteral(", ");
        changes.push_back(
            {FigureChangesText::tr("devices"), old_labels.join(comma), labels.join(comma), 1, false});
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
        const Share& x = *share_labelled(before.analysis, old, label);
        const Share& y = *share_labelled(after.analysis, now, label);
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
