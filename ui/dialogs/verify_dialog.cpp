// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/verify_dialog.hpp"

#include <QDialogButtonBox>
#include <QVBoxLayout>

#include "ui/models/labels.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

QString cell(const QString& text, const char* align = "right") {
    return QStringLiteral("<td align='%1'>%2</td>").arg(QLatin1String(align), text.toHtmlEscaped());
}

QString title(const QString& text, const char* align = "right") {
    return QStringLiteral("<th align='%1'>%2</th>").arg(QLatin1String(align), text.toHtmlEscaped());
}

QString both(std::uint64_t ours, std::uint64_t theirs, QString (*text)(std::uint64_t)) {
    return ours == theirs ? text(ours) : text(ours) + QStringLiteral(" / ") + text(theirs);
}

}  // namespace

VerifyDialog::VerifyDialog(const Session& session, QWidget* parent)
    : QDialog(parent), job_(tr("Running the devices' scheduler")) {
    setWindowTitle(tr("Verify the schedule"));
    setObjectName(QStringLiteral("verify"));
    resize(560, 280);
    progress_ = new QProgressBar;
    progress_->setAccessibleName(tr("Progress"));
    progress_->setRange(0, 0);
    result_ = new QTextBrowser;
    result_->setAccessibleName(tr("Simulated schedule compared with the devices' scheduler"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    cancel_ = buttons->addButton(tr("Stop"), QDialogButtonBox::ActionRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(cancel_, &QPushButton::clicked, &job_, &JobChannel::cancel);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(progress_);
    layout->addWidget(result_, 1);
    layout->addWidget(buttons);
    const auto show_state = [this] {
        progress_->setVisible(job_.running());
        cancel_->setEnabled(job_.running());
    };
    connect(&job_, &JobChannel::started, this, show_state);
    connect(&job_, &JobChannel::ended, this, show_state);
    connect(&job_, &JobChannel::progress, this, [this](double fraction) {
        constexpr int kWhole = 1000;
        progress_->setRange(0, fraction < 0 ? 0 : kWhole);
        progress_->setValue(static_cast<int>(fraction * kWhole));
    });
    connect(&job_, &JobChannel::failed, this, [this](const JobFailure& failure) { show_text(failure.text); });
    connect(&job_, &JobChannel::cancelled, this, [this] { show_text(tr("Stopped.")); });
    job_.start([session](const JobContext& job) { return verify_graphs(session, job); },
               [this](const std::vector<VerifiedGraph>& graphs) { show_result(graphs); });
}

void VerifyDialog::show_text(const QString& text) {
    result_->setPlainText(text);
}

void VerifyDialog::show_result(const std::vector<VerifiedGraph>& graphs) {
    QString html = QStringLiteral("<p><b>%1</b></p><table cellpadding='5'><tr>%2%3%4%5%6</tr>")
                       .arg(message_text(verdict_of(graphs)).toHtmlEscaped(), title(tr("Graph"), "left"),
                            title(tr("Tensors")), title(tr("Splits")), title(tr("Copies")),
                            title(tr("Compute buffers")));
    QString differences;
    for (const auto& [graph, v] : graphs) {
        const QString name = graph == "prompt"   ? tr("prompt")
                             : graph == "decode" ? tr("decode")
                                                 : tr("graph");
        QStringList sizes;
        for (const ScheduleVerification::Size& size : v.sizes)
            sizes +=
                QStringLiteral("%1 %2").arg(to_text(size.backend), both(size.ours, size.theirs, bytes_text));
        html += QStringLiteral("<tr>%1%2%3%4%5</tr>")
                    .arg(cell(name, "left"), cell(count_text(v.tensors)),
                         cell(both(v.our_splits, v.their_splits, count_text)),
                         cell(both(v.our_copies, v.their_copies, count_text)),
                         cell(sizes.join(QStringLiteral(", "))));
        differences += QStringLiteral("<p>%1</p>")
                           .arg((v.same() ? tr("%1: no difference").arg(name)
                                          : tr("%1: %2").arg(name, message_text(v.first)))
                                    .toHtmlEscaped());
        if (v.elsewhere > 1)
            differences +=
                QStringLiteral("<p>%1</p>")
                    .arg(tr("%1: %n tensors are on other backends", nullptr, static_cast<int>(v.elsewhere))
                             .arg(name)
                             .toHtmlEscaped());
    }
    result_->setHtml(
        html + QStringLiteral("</table>") + differences +
        (!html.contains(QLatin1String(" / "))
             ? QString()
             : QStringLiteral("<p>%1</p>")
                   .arg(tr("Where there are two figures, the first is simulated.").toHtmlEscaped())));
}

}  // namespace splitscope::ui
