// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reports/save_report.hpp"

#include "engine/reports/render.hpp"
#include "engine/support/file.hpp"
#include "ui/models/messages.hpp"
#include "ui/reports/report_document.hpp"

namespace splitscope::ui {
namespace {

const QString kPdf = QStringLiteral("pdf");

/// The engine's format; HTML for PDF, which has the same contents.
ReportFormat engine_format(const QString& name) {
    return report_format_named(name.toStdString()).value_or(ReportFormat::html);
}

}  // namespace

QString suffix_of(const QString& format) {
    return format == QStringLiteral("trace") ? QStringLiteral(".trace.json") : QLatin1Char('.') + format;
}

QString format_of(const QString& path) {
    if (path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive)) return kPdf;
    const auto format = report_format_of(path.toStdString());
    return QString::fromStdString(std::string(name_of(format.value_or(ReportFormat::html))));
}

Report collect_report(const Analysis& analysis, const RunResult* run, const ReportChoice& choice,
                      std::optional<std::size_t> max_rows, const JobContext& job) {
    job.report(-1, msg::kCollecting);
    ReportOptions options = options_for(engine_format(choice.format));
    if (choice.format == kPdf) options.max_rows = kPaperRows;
    if (max_rows) options.max_rows = *max_rows;
    options.sections = choice.sections;
    options.show_path = choice.show_path;
    std::optional<ComparedGenerations> compared;
    if (choice.compare && *choice.compare != analysis.session.generation) {
        compared = compare_generations(analysis.session, analysis.session.generation, *choice.compare, job);
        options.comparison = &*compared;
    }
    const std::optional<ReportPlans> plans = plan_for_report(analysis.session, false, job);
    if (plans) options.plans = &*plans;
    job.check();
    return make_report(analysis, run, options);
}

void save_report(const std::filesystem::path& path, const Analysis& analysis, const RunResult* run,
                 const ReportChoice& choice, const JobContext& job) {
    require_other_file(path, *analysis.session.file);
    // A timeline needs no plans.
    const Report report = engine_format(choice.format) == ReportFormat::trace
                              ? make_report(analysis, run)
                              : collect_report(analysis, run, choice, std::nullopt, job);
    job.report(-1, msg::kWriting);
    job.check();
    if (choice.format == kPdf) {
        const QByteArray bytes = report_pdf(report);
        job.check();
        write_file_atomically(path, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
    } else {
        const std::string text = render(report, engine_format(choice.format));
        job.check();
        write_file_atomically(path, text);
    }
}

}  // namespace splitscope::ui
