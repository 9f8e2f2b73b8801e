// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/report_dialog.hpp"

#include <QAbstractTextDocumentLayout>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/reports/render.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/generation_items.hpp"
#include "ui/reports/report_document.hpp"

namespace splitscope::ui {
namespace {

/// Rows per table in the preview.
constexpr std::size_t kPreviewRows = 8;
/// Characters of a text format in the preview.
constexpr qsizetype kPreviewText = 20'000;
constexpr qreal kPreviewMargin = 18;
constexpr int kNoGeneration = -1;

bool is_paper(const QString& format) {
    return format == QStringLiteral("html") || format == QStringLiteral("pdf");
}

/// The report with the chosen sections, as a document of the UI thread. Called on a worker.
std::shared_ptr<QTextDocument> preview_of(const Report& report, const ReportChoice& chosen) {
    Report shown = report;
    std::erase_if(shown.sections, [&](const ReportContent& section) {
        return std::ranges::find(chosen.sections, section.name()) == chosen.sections.end();
    });
    std::unique_ptr<QTextDocument> document;
    if (is_paper(chosen.format)) {
        document = report_document(shown, kPreviewMargin);
    } else {
        document = std::make_unique<QTextDocument>();
        document->setDefaultFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        const std::string text = splitscope::render(shown, *report_format_named(chosen.format.toStdString()));
        document->setPlainText(QString::fromStdString(text).left(kPreviewText));
    }
    document->moveToThread(QCoreApplication::instance()->thread());
    // A superseded one may be released by its worker.
    return {document.release(), [](QTextDocument* last) { last->deleteLater(); }};
}

}  // namespace

ReportDialog::ReportDialog(std::shared_ptr<const Analysis> analysis, std::shared_ptr<const RunResult> run,
                           Settings& settings, QWidget* parent)
    : QDialog(parent),
      analysis_(std::move(analysis)),
      run_(std::move(run)),
      settings_(settings),
      job_(tr("Preview")),
      preview_job_(tr("Preview")) {
    setWindowTitle(tr("Save report"));
    resize(1040, 720);
    make_widgets();
    restore();
    for (const JobChannel* job : {&job_, &preview_job_})
        connect(job, &JobChannel::failed, this,
                [this](const JobFailure& failure) { state_->setText(failure.text); });
    collect();
}

void ReportDialog::make_widgets() {
    format_ = new QComboBox;
    format_->setAccessibleName(tr("Format"));
    format_->addItem(tr("Web page (HTML)"), QStringLiteral("html"));
    format_->addItem(tr("PDF"), QStringLiteral("pdf"));
    format_->addItem(tr("Markdown"), QStringLiteral("md"));
    format_->addItem(tr("JSON"), QStringLiteral("json"));
    format_->addItem(tr("Tables (CSV)"), QStringLiteral("csv"));
    if (run_) format_->addItem(tr("Timeline (trace events)"), QStringLiteral("trace"));

    compare_ = new QComboBox;
    compare_->setAccessibleName(tr("Compare with"));
    compare_->addItem(tr("no other scheduler"), kNoGeneration);
    for (const Generation g : kGenerations) {
        if (g != analysis_->session.generation)
            compare_->addItem(tr("scheduler %1").arg(to_text(name_of(g))), static_cast<int>(g));
    }
    enable_generations(*compare_, analysis_->session.file.get());
    path_ = new QCheckBox(tr("Include the file's path"));
    path_->setToolTip(tr("The full path in \"Provenance\" instead of the file's name"));

    auto* left = new QVBoxLayout;
    left->addWidget(new QLabel(tr("Format")));
    left->addWidget(format_);
    left->addSpacing(8);
    left->addWidget(new QLabel(tr("Compare with")));
    left->addWidget(compare_);
    left->addSpacing(8);
    left->addWidget(new QLabel(tr("Sections")));
    for (const ReportSection& section : report_sections()) {
        auto* box = new QCheckBox(message_text(section.title));
        box->setObjectName(QStringLiteral("section-") + to_text(section.name));
        box->setChecked(true);
        if (section.needs == ReportSection::Needs::run && !run_) {
            box->setEnabled(false);
            box->setToolTip(tr("No run yet; start one in the Run panel"));
        }
        connect(box, &QCheckBox::toggled, this, &ReportDialog::show_preview);
        left->addWidget(box);
        sections_.push_back(box);
    }
    left->addSpacing(8);
    left->addWidget(path_);
    left->addStretch(1);

    preview_ = new QTextBrowser;
    preview_->setAccessibleName(tr("Preview"));
    preview_->setOpenLinks(false);
    // Its appearance would lay out the text again.
    preview_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    // A preview of paper is white in a dark theme too.
    preview_->setStyleSheet(QStringLiteral("QTextBrowser { background: #ffffff; color: #1d2126; }"));
    state_ = new QLabel;
    state_->setProperty("role", "muted");

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    save_ = buttons->addButton(tr("&Save …"), QDialogButtonBox::AcceptRole);
    save_->setDefault(true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        remember();
        emit save_requested(choice());
        accept();
    });
    connect(format_, &QComboBox::currentIndexChanged, this, &ReportDialog::show_preview);
    connect(compare_, &QComboBox::currentIndexChanged, this, &ReportDialog::collect);
    connect(path_, &QCheckBox::toggled, this, &ReportDialog::collect);

    auto* right = new QVBoxLayout;
    right->addWidget(preview_, 1);
    right->addWidget(state_);
    auto* both = new QHBoxLayout;
    both->addLayout(left);
    both->addLayout(right, 1);
    auto* whole = new QVBoxLayout(this);
    whole->addLayout(both, 1);
    whole->addWidget(buttons);
}

ReportChoice ReportDialog::choice() const {
    ReportChoice choice;
    choice.format = format_->currentData().toString();
    choice.sections.clear();
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        if (sections_[i]->isChecked()) choice.sections.push_back(report_sections()[i].name);
    }
    const int other = compare_->currentData().toInt();
    if (other != kNoGeneration) choice.compare = static_cast<Generation>(other);
    choice.show_path = path_->isChecked();
    return choice;
}

void ReportDialog::set_section(std::string_view section, bool shown) {
    for (std::size_t i = 0; i < sections_.size(); ++i)
        if (report_sections()[i].name == section) sections_[i]->setChecked(shown);
}

void ReportDialog::set_format(const QString& name) {
    const int index = format_->findData(name);
    if (index >= 0) format_->setCurrentIndex(index);
}

void ReportDialog::restore() {
    set_format(settings_.report_format());
    const QStringList hidden = settings_.report_hidden_sections();
    for (std::size_t i = 0; i < sections_.size(); ++i)
        sections_[i]->setChecked(!hidden.contains(to_text(report_sections()[i].name)));
}

void ReportDialog::remember() {
    QStringList hidden;
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        if (!sections_[i]->isChecked()) hidden += to_text(report_sections()[i].name);
    }
    settings_.set_report(format_->currentData().toString(), hidden);
}

void ReportDialog::collect() {
    ReportChoice all = choice();
    all.sections = report_section_names();
    state_->setText(tr("Collecting …"));
    job_.start(
        [analysis = analysis_, run = run_, all](const JobContext& job) {
            return std::make_shared<const Report>(
                collect_report(*analysis, run.get(), all, kPreviewRows, job));
        },
        [this](const std::shared_ptr<const Report>& report) {
            report_ = report;
            show_preview();
        });
}

void ReportDialog::show_preview() {
    const ReportChoice chosen = choice();
    save_->setEnabled(!chosen.sections.empty());
    if (!report_) return;
    preview_job_.start(
        [report = report_, chosen](const JobContext&) { return preview_of(*report, chosen); },
        [this, paper = is_paper(chosen.format)](std::shared_ptr<QTextDocument> document) {
            state_->setText(paper ? tr("Preview with the first %1 rows of each table").arg(kPreviewRows)
                                  : tr("Beginning, with the first %1 rows of each table").arg(kPreviewRows));
            const int place = preview_->verticalScrollBar()->value();
            if (paper) draw_figures(*document);
            preview_->setDocument(document.get());
            shown_ = std::move(document);
            preview_->verticalScrollBar()->setValue(place);
        });
}

}  // namespace splitscope::ui
