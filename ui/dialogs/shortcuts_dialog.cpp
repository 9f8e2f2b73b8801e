// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/shortcuts_dialog.hpp"

#include <QDialogButtonBox>
#include <QRegularExpression>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace splitscope::ui {
namespace {

/// Without its access key: "&Open" or, in Chinese, "Title(&O)".
QString without_key(const QString& title) {
    static const QRegularExpression key(QStringLiteral("\\(&.\\)|&"));
    return QString(title).remove(key);
}

}  // namespace

ShortcutsDialog::ShortcutsDialog(const ActionRegistry& actions, const Theme& theme, QWidget* parent)
    : QDialog(parent) {
    setWindowTitle(tr("Keyboard shortcuts"));
    resize(520, 620);
    QString html = QStringLiteral("<table width='100%' cellpadding='3'>");
    std::optional<ActionGroup> group;
    for (const ActionRegistry::Entry& entry : actions.entries()) {
        if (entry.action->shortcuts().isEmpty()) continue;
        if (entry.group != group) {
            group = entry.group;
            html +=
                QStringLiteral("<tr><td colspan='2' style='padding-top:12px;color:%1'><b>%2</b></td></tr>")
                    .arg(theme.colours().muted.name(), title_of(entry.group).toHtmlEscaped());
        }
        QStringList keys;
        for (const QKeySequence& key : entry.action->shortcuts()) {
            keys += key.toString(QKeySequence::NativeText).toHtmlEscaped();
        }
        html += QStringLiteral("<tr><td>%1</td><td align='right'><code>%2</code></td></tr>")
                    .arg(without_key(entry.action->text()).toHtmlEscaped(),
                         keys.join(QStringLiteral("&nbsp; %1 &nbsp;").arg(tr("or"))));
    }
    html += tr("<tr><td colspan='2' style='padding-top:12px;color:%1'><b>In the graph</b></td></tr>"
               "<tr><td>To the first source / reader</td><td align='right'><code>Up / Down</code></td></tr>"
               "<tr><td>To the source / reader beside it</td><td align='right'><code>Left / "
               "Right</code></td></tr>"
               "<tr><td>Zoom</td><td align='right'><code>Wheel</code></td></tr>"
               "<tr><td>Pan</td><td align='right'><code>Drag</code></td></tr>"
               "<tr><td>Zoom to a node or split, collapse a layer</td><td align='right'><code>Double "
               "click</code></td></tr></table>")
                .arg(theme.colours().muted.name());
    auto* text = new QTextBrowser;
    text->setHtml(html);
    text->setAccessibleName(tr("Keyboard shortcuts"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(text);
    layout->addWidget(buttons);
}

}  // namespace splitscope::ui
