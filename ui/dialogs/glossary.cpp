// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/glossary.hpp"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>

namespace splitscope::ui {
namespace {

QString html_of(const QString& needle) {
    QString html;
    for (const Term& term : glossary()) {
        if (!term.name.contains(needle, Qt::CaseInsensitive) &&
            !term.meaning.contains(needle, Qt::CaseInsensitive)) {
            continue;
        }
        html += QStringLiteral("<p><b>%1</b><br>%2</p>").arg(term.name, term.meaning);
    }
    return html;
}

}  // namespace

std::vector<Term> glossary() {
    std::vector<Term> terms{
        {GlossaryDialog::tr("Backend"),
         GlossaryDialog::tr(
             "Something that computes: a graphics card, a library, the CPU. The scheduler gives "
             "each node to one, in the order of their priority; the CPU is the last.")},
        {GlossaryDialog::tr("Buffer"),
         GlossaryDialog::tr("A piece of one device's memory in which tensors have their places.")},
        {GlossaryDialog::tr("Buffer type"),
         GlossaryDialog::tr("The kind of memory a buffer is made of. A backend can use the tensors of "
                            "some buffer types without a copy and of others only after one.")},
        {GlossaryDialog::tr("Cause"),
         GlossaryDialog::tr(
             "The label of the rule that a decision follows, such as 1.wgt0 (follows the weights "
             "in source 0) or 3.upg (moved to a backend of higher priority).")},
        {GlossaryDialog::tr("Compute buffer"),
         GlossaryDialog::tr("Holds results that live only while the graph runs. Places are used again "
                            "as soon as nobody reads them any more; the peak decides its size.")},
        {GlossaryDialog::tr("Copy"),
         GlossaryDialog::tr(
             "Made when a split reads a tensor from memory that its backend cannot use. The bytes "
             "copied for each token are what a schedule costs.")},
        {GlossaryDialog::tr("Decision"),
         GlossaryDialog::tr("One step of the scheduler: a tensor gets a backend, for a cause, in a pass.")},
        {GlossaryDialog::tr("Fallback"),
         GlossaryDialog::tr("A node on the CPU because the backends of higher priority refused it.")},
        {GlossaryDialog::tr("Generation"),
         GlossaryDialog::tr("The scheduler as its source was in that month. The passes and their rules "
                            "changed over time.")},
        {GlossaryDialog::tr("KV cache"),
         GlossaryDialog::tr("Keys and values of the tokens so far. Grows with the context and lies with the "
                            "layer it belongs to.")},
        {GlossaryDialog::tr("Leaf"),
         GlossaryDialog::tr("A tensor that no node computes: a weight or an input.")},
        {GlossaryDialog::tr("Node"), GlossaryDialog::tr("A tensor that an operation computes.")},
        {GlossaryDialog::tr("Offloading"),
         GlossaryDialog::tr("A backend takes over an operation whose weights lie on the CPU because the "
                            "batch is large enough to be worth copying them.")},
        {GlossaryDialog::tr("Override rule"),
         GlossaryDialog::tr("A pattern and a buffer type: weights whose names match go there, whatever "
                            "their layer. The first rule that matches decides.")},
        {GlossaryDialog::tr("Pass"),
         GlossaryDialog::tr("One walk of the scheduler over the graph. Each has a purpose: place what lies "
                            "somewhere already, spread to neighbours, upgrade, split.")},
        {GlossaryDialog::tr("Prefill and decode"),
         GlossaryDialog::tr("The graph of a batch of the prompt, and the graph of one token.")},
        {GlossaryDialog::tr("Split"),
         GlossaryDialog::tr("A run of nodes on one backend. Between splits tensors are copied and devices "
                            "wait for each other.")},
        {GlossaryDialog::tr("View"),
         GlossaryDialog::tr("A tensor that shares the memory of another: it computes nothing.")}};
    std::ranges::stable_sort(
        terms, [](const Term& a, const Term& b) { return a.name.localeAwareCompare(b.name) < 0; });
    return terms;
}

GlossaryDialog::GlossaryDialog(const QString& about, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Terms"));
    resize(520, 600);
    auto* find = new QLineEdit;
    find->setPlaceholderText(tr("Find a term"));
    find->setAccessibleName(tr("Find a term"));
    find->setClearButtonEnabled(true);
    auto* text = new QTextBrowser;
    text->setAccessibleName(tr("Terms"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* all = new QVBoxLayout(this);
    all->addWidget(find);
    all->addWidget(text);
    all->addWidget(buttons);
    connect(find, &QLineEdit::textChanged, text,
            [text](const QString& needle) { text->setHtml(html_of(needle.trimmed())); });
    text->setHtml(html_of(about));
    find->setText(about);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

}  // namespace splitscope::ui
