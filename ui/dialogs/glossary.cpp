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
    // The term itself comes before those that it explains.
    QString named;
    QString explained;
    for (const Term& term : glossary()) {
        const bool by_name = term.name.contains(needle, Qt::CaseInsensitive);
        if (!by_name && !term.meaning.contains(needle, Qt::CaseInsensitive)) continue;
        (by_name ? named : explained) +=
            QStringLiteral("<p><b>%1</b><br>%2</p>").arg(term.name, term.meaning);
    }
    if (named.isEmpty() && explained.isEmpty())
        return QStringLiteral("<p>%1</p>").arg(GlossaryDialog::tr("No term matches"));
    return named + explained;
}

}  // namespace

std::vector<Term> glossary() {
    // Each is a row of docs/glossary.md, in the same words; a test compares them.
    std::vector<Term> terms{
        {GlossaryDialog::tr("Backend"),
         GlossaryDialog::tr("a device with its priority in the scheduler; the CPU has the lowest")},
        {GlossaryDialog::tr("Buffer"),
         GlossaryDialog::tr("a block of memory on one device that holds tensors")},
        {GlossaryDialog::tr("Buffer type"),
         GlossaryDialog::tr("the kind of memory of a buffer; a backend reads some buffer types in place and "
                            "others only after a copy")},
        {GlossaryDialog::tr("Cause"),
         GlossaryDialog::tr(
             "the rule behind a decision, with ggml's label: 1.wgt0 (weights in source 0), 2.sup, "
             "3.upg, …")},
        {GlossaryDialog::tr("Compute buffer"),
         GlossaryDialog::tr("memory for results that live only while the graph runs; tensors with disjoint "
                            "lifetimes share it")},
        {GlossaryDialog::tr("Copy"),
         GlossaryDialog::tr(
             "a duplicate of a tensor on the backend of a split that cannot read the original in "
             "place; also the transfer")},
        {GlossaryDialog::tr("Decision"),
         GlossaryDialog::tr("one step of a pass: a tensor is assigned to a backend, for a cause")},
        {GlossaryDialog::tr("Decode"), GlossaryDialog::tr("generating tokens one after another")},
        {GlossaryDialog::tr("Fallback"),
         GlossaryDialog::tr("a node on the CPU because backends of higher priority refused it")},
        {GlossaryDialog::tr("Generation"),
         GlossaryDialog::tr(
             "a version of the scheduler, named by its month: 2024-01, 2024-10, 2025-06 or 2026-08")},
        {GlossaryDialog::tr("KV cache"),
         GlossaryDialog::tr("keys and values of all tokens so far; grows with the context; each layer's part "
                            "is on the device of the layer")},
        {GlossaryDialog::tr("Leaf"),
         GlossaryDialog::tr("a tensor that is not computed: a weight, a cache or an input")},
        {GlossaryDialog::tr("Node"),
         GlossaryDialog::tr("a tensor computed by an operation; a graph lists its nodes in execution order")},
        {GlossaryDialog::tr("Op offload"),
         GlossaryDialog::tr(
             "running an operation on a device although its weights are in host memory, because "
             "the batch is large enough to upload them")},
        {GlossaryDialog::tr("Override"),
         GlossaryDialog::tr(
             "a regular expression and a buffer type for the weights whose names match; the first "
             "matching rule applies")},
        {GlossaryDialog::tr("Pass"),
         GlossaryDialog::tr(
             "one traversal of the graph by the scheduler: fixed tensors (1), spread to neighbours"
             " (2.1–2.4), best fit and upgrade (3), views and sources (4), splits (5)")},
        {GlossaryDialog::tr("Prefill"), GlossaryDialog::tr("processing the prompt, in micro-batches")},
        {GlossaryDialog::tr("Split"),
         GlossaryDialog::tr("consecutive nodes on one backend, computed together")},
        {GlossaryDialog::tr("View"),
         GlossaryDialog::tr("a tensor without data of its own, which shares the memory of another one")}};
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
