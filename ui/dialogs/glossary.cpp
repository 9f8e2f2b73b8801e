// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/glossary.hpp"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>

namespace splitscope::ui {
namespace {

struct EnglishTerm {
    const char* name;
    const char* meaning;
};

// Each is a row of docs/glossary.md, in the same words; a test compares them.
constexpr EnglishTerm kTerms[] = {
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "Backend"),
     QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog",
                       "a device with its priority in the scheduler; the CPU has the lowest")},
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "Buffer"),
     QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog",
                       "a block of memory on one device that holds tensors")},
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "Buffer type"),
     QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog",
                       "the kind of memory of a buffer; a backend reads some buffer types in place and "
                       "others only after a copy")},
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "Cause"),
     QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog",
                       "the rule behind a decision, with ggml's label: 1.wgt0 (weights in source 0), 2.sup, "
                       "3.upg, …")},
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "Compute buffer"),
     QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog",
                       "memory for results that live only while the graph runs; tensors with disjoint "
                       "lifetimes share it")},
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "Copy"),
     QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog",
                       "a duplicate of a tensor on the backend of a split that cannot read the original in "
                       "place; also the transfer")},
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "Decision"),
     QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog",
                       "one step of a pass: a tensor is assigned to a backend, for a cause")},
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "Decode"),
     QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "generating tokens one after another")},
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "Fallback"),
     QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog",
                       "a node on the CPU because backends of higher priority refused it")},
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "Generation"),
     QT_TRANSLATE_NOOP(
         "splitscope::ui::GlossaryDialog",
         "a version of the scheduler, named by its month: 2024-01, 2024-10, 2025-06 or 2026-08")},
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "KV cache"),
     QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog",
                       "keys and values of all tokens so far; grows with the context; each layer's part "
                       "is on the device of the layer, or in host memory with --no-kv-offload")},
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "Leaf"),
     QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog",
                       "a tensor that is not computed: a weight, a cache or an input")},
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "Node"),
     QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog",
                       "a tensor computed by an operation; a graph lists its nodes in execution order")},
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "Op offload"),
     QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog",
                       "running an operation on a device although its weights are in host memory, because "
                       "the batch is large enough to upload them")},
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "Override"),
     QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog",
                       "a regular expression and a buffer type for the weights whose names match; the first "
                       "matching rule applies")},
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "Pass"),
     QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog",
                       "one traversal of the graph by the scheduler: fixed tensors (1), spread to neighbours"
                       " (2.1–2.4), best fit and upgrade (3), views and sources (4), splits (5)")},
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "Prefill"),
     QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "processing the prompt, in micro-batches")},
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "Split"),
     QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog",
                       "consecutive nodes on one backend, computed together")},
    {QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog", "View"),
     QT_TRANSLATE_NOOP("splitscope::ui::GlossaryDialog",
                       "a tensor without data of its own, which shares the memory of another one")}};

QString html_of(const QString& needle) {
    // The term itself comes before those that it explains.
    QString named;
    QString explained;
    for (const Term& term : glossary()) {
        const bool by_name = term.name.contains(needle, Qt::CaseInsensitive) ||
                             term.english.contains(needle, Qt::CaseInsensitive);
        if (!by_name && !term.meaning.contains(needle, Qt::CaseInsensitive)) continue;
        (by_name ? named : explained) +=
            QStringLiteral("<p><b>%1</b>%2<br>%3</p>")
                .arg(term.name,
                     term.english == term.name ? QString() : QStringLiteral(" (%1)").arg(term.english),
                     term.meaning);
    }
    if (named.isEmpty() && explained.isEmpty())
        return QStringLiteral("<p>%1</p>").arg(GlossaryDialog::tr("No term matches"));
    return named + explained;
}

}  // namespace

std::vector<Term> glossary() {
    std::vector<Term> terms;
    for (const auto& [name, meaning] : kTerms)
        terms.push_back({GlossaryDialog::tr(name), GlossaryDialog::tr(meaning), QString::fromLatin1(name)});
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
