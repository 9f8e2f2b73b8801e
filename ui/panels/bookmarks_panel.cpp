// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/bookmarks_panel.hpp"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "ui/models/qt_text.hpp"
#include "ui/panels/table_style.hpp"

namespace splitscope::ui {

BookmarksPanel::BookmarksPanel(const PanelContext& context) : document_(context.document) {
    toggle_ = new QPushButton;
    toggle_->setToolTip(tr("Bookmarks and notes are saved with the session"));
    table_ = new QTableView;
    table_->setModel(&model_);
    style_table(*table_);
    table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    table_->setAccessibleName(tr("Bookmarks"));
    set_column_widths(*table_, {220, 130, 110, 200});
    size_by_content(*table_);
    table_->horizontalHeader()->setStretchLastSection(true);
    delegate_ = new BackendDelegate(context.theme, this);
    table_->setItemDelegateForColumn(BookmarkTableModel::kBackend, delegate_);
    empty_ =
        new QLabel(tr("No bookmarks. Select a tensor and press Ctrl+B; double-click a note to edit it."));
    empty_->setProperty("role", "muted");
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 6, 8, 4);
    bar->addWidget(toggle_);
    bar->addStretch(1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(bar);
    all->addWidget(table_, 1);
    all->addWidget(empty_, 1);

    connect(toggle_, &QPushButton::clicked, this, &BookmarksPanel::toggle);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (following_ || !current.isValid()) return;
                const TensorId tensor = model_.tensor_at(current.row());
                if (tensor.valid()) document_.select_tensor(tensor);
            });
    // Deferred, because storing resets the model, which is not allowed inside setData().
    connect(
        &model_, &BookmarkTableModel::note_written, this,
        [this](int row, const QString& note) {
            SessionNotes notes = document_.notes();
            if (static_cast<std::size_t>(row) >= notes.bookmarks.size()) return;
            notes.bookmarks[static_cast<std::size_t>(row)].note = note.toStdString();
            document_.edit_notes(tr("Write a note"), notes);
        },
        Qt::QueuedConnection);
    connect(&document_, &Document::notes_changed, this, &BookmarksPanel::show_bookmarks);
    connect(&document_, &Document::analysis_changed, this, &BookmarksPanel::show_bookmarks);
    connect(&document_.selection(), &Selection::tensor_changed, this, &BookmarksPanel::show_selection);
    show_bookmarks();
}

void BookmarksPanel::add_actions(const PanelContext& context) {
    const auto add = [&actions = context.actions](const char* id, const QString& text, const QString& tip,
                                                  const char* key, std::function<void()> run,
                                                  std::function<bool()> possible) {
        actions.add(QLatin1String(id), ActionGroup::go, text, tip, keys({key}), {}, std::move(run),
                    std::move(possible));
    };
    const auto selected = [this] { return document_.analysis() && document_.selection().tensor().valid(); };
    const auto any = [this] { return document_.analysis() && !document_.notes().bookmarks.empty(); };
    add(
        "go.bookmark", tr("Boo&kmark the tensor"), tr("Add or remove a bookmark"), "Ctrl+B",
        [this] { toggle(); }, selected);
    add(
        "go.note", tr("&Write a note …"), tr("A note on the selected tensor, saved with the session"),
        "Ctrl+Shift+B",
        [this, &links = context.links] {
            emit links.panel_requested(this);
            write_note();
        },
        selected);
    add(
        "go.next-bookmark", tr("Next bookmark"), {}, "F2", [this] { go(+1); }, any);
    add(
        "go.previous-bookmark", tr("Previous bookmark"), {}, "Shift+F2", [this] { go(-1); }, any);
}

void BookmarksPanel::show_bookmarks() {
    const auto& analysis = document_.analysis();
    if (analysis) delegate_->set_backend_count(analysis->machine->backends.size());
    model_.set_bookmarks(document_.notes().bookmarks, analysis);
    const bool any = model_.rowCount() > 0;
    table_->setVisible(any);
    empty_->setVisible(!any);
    show_selection();
}

void BookmarksPanel::show_selection() {
    const TensorId tensor = document_.selection().tensor();
    const int row = model_.row_of(tensor);
    toggle_->setEnabled(document_.analysis() && tensor.valid());
    toggle_->setText(row >= 0 ? tr("Remove the bookmark") : tr("Bookmark the selected tensor"));
    following_ = true;
    show_row(*table_, row);
    following_ = false;
}

void BookmarksPanel::toggle() {
    const TensorId tensor = document_.selection().tensor();
    if (!document_.analysis() || !tensor.valid()) return;
    SessionNotes notes = document_.notes();
    const int row = model_.row_of(tensor);
    if (row >= 0) {
        notes.bookmarks.erase(notes.bookmarks.begin() + row);
        document_.edit_notes(tr("Remove a bookmark"), notes);
    } else {
        notes.bookmarks.push_back({text_of(document_.selected()), {}});
        document_.edit_notes(tr("Add a bookmark"), notes);
    }
}

void BookmarksPanel::go(int step) {
    const int count = model_.rowCount();
    const int now = model_.row_of(document_.selection().tensor());
    for (int tried = 1; tried <= count; ++tried) {
        const int from = now < 0 && step < 0 ? 0 : now;
        const int row = ((from + step * tried) % count + count) % count;
        const TensorId tensor = model_.tensor_at(row);
        if (!tensor.valid()) continue;
        document_.select_tensor(tensor);
        return;
    }
}

void BookmarksPanel::write_note() {
    if (model_.row_of(document_.selection().tensor()) < 0) toggle();
    const int row = model_.row_of(document_.selection().tensor());
    if (row < 0) return;
    table_->setFocus();
    const QModelIndex note = model_.index(row, BookmarkTableModel::kNote);
    table_->setCurrentIndex(note);
    table_->edit(note);
}

}  // namespace splitscope::ui
