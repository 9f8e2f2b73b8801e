// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/verdict_text.hpp"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "engine/messages/format_number.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

struct VerdictWords {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::Verdict)
};

QString fits_text(const ModelPlan& plan, const Session& session) {
    const DevicePlan* tightest = plan.tightest();
    if (tightest == nullptr) return VerdictWords::tr("Fits");
    const QString left = bytes_text(tightest->left());
    // With a single accelerator, its name is omitted.
    const bool clear = session.machine.backends.size() <= 2 && tightest->backend == BackendId(0);
    return clear
               ? VerdictWords::tr("Fits, %1 left").arg(left)
               : VerdictWords::tr("Fits, %1 left on %2").arg(left, device_label(session, tightest->backend));
}

QString lacking_text(const Verdict& verdict, const Session& session) {
    if (verdict.lacks_only_pages()) return message_text(verdict.text());
    QStringList parts;
    for (const Verdict::Shortage& shortage : verdict.shortages)
        parts += VerdictWords::tr("%1 short on %2")
                     .arg(bytes_text(shortage.bytes), device_label(session, shortage.device));
    return VerdictWords::tr("Does not fit: %1").arg(parts.join(QStringLiteral(", ")));
}

/// Used devices of unknown memory.
QString unknown_memory_text(const ModelPlan& plan, const Session& session) {
    QStringList names;
    for (const DevicePlan& device : plan.devices)
        if (device.memory == 0 && device.total() > 0) names += device_label(session, device.backend);
    const QString last = names.isEmpty() ? QString() : names.takeLast();
    const QString all =
        names.isEmpty() ? last : VerdictWords::tr("%1 and %2").arg(names.join(QStringLiteral(", ")), last);
    return VerdictWords::tr("Not known whether it fits: choose a machine (the memory of %1 is not known)")
        .arg(all);
}

}  // namespace

VerdictTone tone_of(const Verdict& verdict) {
    switch (verdict.kind) {
        case Verdict::Kind::fits:
            return VerdictTone::good;
        case Verdict::Kind::lacks:
        case Verdict::Kind::cannot_run:
            return VerdictTone::bad;
        case Verdict::Kind::need_known:
        case Verdict::Kind::not_known:
            return VerdictTone::unknown;
    }
    return VerdictTone::unknown;
}

QString verdict_text(const ModelPlan& plan, const Session& session) {
    const Verdict& verdict = plan.verdict;
    switch (verdict.kind) {
        case Verdict::Kind::fits:
            return fits_text(plan, session);
        case Verdict::Kind::lacks:
            return lacking_text(verdict, session);
        case Verdict::Kind::need_known:
            return unknown_memory_text(plan, session);
        case Verdict::Kind::not_known:
            return VerdictWords::tr("Not known whether it fits: %1").arg(message_text(verdict.reason));
        case Verdict::Kind::cannot_run:
            return VerdictWords::tr("Cannot run: %1").arg(message_text(verdict.reason));
    }
    return {};
}

QString brief_verdict_text(const ModelPlan& plan, const Session& session) {
    switch (plan.verdict.kind) {
        case Verdict::Kind::fits:
        case Verdict::Kind::lacks:
            return verdict_text(plan, session);
        case Verdict::Kind::need_known:
        case Verdict::Kind::not_known:
            return VerdictWords::tr("Not known whether it fits");
        case Verdict::Kind::cannot_run:
            return VerdictWords::tr("Cannot run");
    }
    return {};
}

QString speed_text(const ModelPlan& plan) {
    const double rate = plan.generates() ? plan.tokens_per_second() : plan.prompt_tokens_per_second();
    if (!plan.fits() || rate <= 0) return {};
    const QString figure = to_text(format_figure(rate));
    return plan.generates() ? VerdictWords::tr("about %1 tokens/s").arg(figure)
                            : VerdictWords::tr("reads about %1 tokens/s").arg(figure);
}

QString speed_tip(const ModelPlan& plan) {
    if (!plan.layout) return {};
    const CacheLayout& caches = plan.layout->cache_layout;
    const bool grows = std::ranges::any_of(
        caches.tensors, [](const CacheTensor& cache) { return cache.kind == CacheKind::attention; });
    return grows ? VerdictWords::tr(
                       "Estimated for a full context of %1 tokens; with less in the cache, "
                       "attention reads less.")
                       .arg(count_text(caches.context.cells))
                 : QString();
}

}  // namespace splitscope::ui
