// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/profile_panel.hpp"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"
#include "ui/panels/panel_parts.hpp"
#include "ui/panels/share_delegate.hpp"
#include "ui/panels/table_style.hpp"

namespace splitscope::ui {
namespace {

constexpr int kFlame = -1;  ///< instead of a ProfileBy

}  // namespace

ProfilePanel::ProfilePanel(const PanelContext& context) : last_(context.last_run), job_(tr("Summing times")) {
    context.status.watch(job_);
    by_ = new QComboBox;
    by_->addItem(tr("By operation"), static_cast<int>(ProfileBy::op));
    by_->addItem(tr("By layer"), static_cast<int>(ProfileBy::layer));
    by_->addItem(tr("By backend"), static_cast<int>(ProfileBy::backend));
    by_->addItem(tr("By split"), static_cast<int>(ProfileBy::split));
    by_->addItem(tr("By node"), static_cast<int>(ProfileBy::node));
    by_->addItem(tr("Flame view"), kFlame);
    by_->setAccessibleName(tr("Group by"));
    by_->setToolTip(tr("How rows are grouped"));
    part_ = new QComboBox;
    part_->addItem(tr("Last token"), static_cast<int>(RunPart::last_token));
    part_->addItem(tr("All tokens, average"), static_cast<int>(RunPart::all_tokens));
    part_->addItem(tr("Prompt"), static_cast<int>(RunPart::prompt));
    part_->setAccessibleName(tr("Part of the run"));
    part_->setToolTip(LastRun::explain_parts());
    note_ = new QLabel;
    // Its length must not widen the window.
    note_->setWordWrap(true);
    note_->setProperty("role", "muted");
    stand_in_ = note_label();
    stand_in_->setContentsMargins(8, 0, 8, 2);
    table_ = new QTableView;
    table_->setModel(&model_);
    style_table(*table_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(ProfileTable::kTotal, Qt::DescendingOrder);
    table_->setAccessibleName(tr("Profile"));
    backend_delegate_ = new BackendDelegate(context.theme, this);
    table_->setItemDelegateForColumn(ProfileTable::kBackend, backend_delegate_);
    table_->setItemDelegateForColumn(ProfileTable::kShare,
                                     new ShareDelegate(context.theme, ProfileTable::kShareRole, this));
    const int widths[] = {180, 96, 64, 88, 80, 88, 110, 64, 76, 150};
    for (int c = 0; c < ProfileTable::kColumnCount; ++c) table_->setColumnWidth(c, widths[c]);
    new NameColumn(*table_, ProfileTable::kName);
    pages_ = new QStackedWidget;
    pages_->addWidget(
        empty_label(tr("<h3>No run yet</h3>Run the model with F5 to see where its time goes.")));
    pages_->addWidget(table_);
    flame_ = new FlameChart(context.theme);
    pages_->addWidget(flame_);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 2);
    bar->setSpacing(8);
    bar->addWidget(part_);
    bar->addWidget(by_);
    bar->addWidget(note_, 1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(bar);
    all->addWidget(stand_in_);
    all->addWidget(pages_, 1);

    connect(part_, &QComboBox::activated, this,
            [this] { last_.set_part(static_cast<RunPart>(part_->currentData().toInt())); });
    connect(flame_, &FlameChart::node_clicked, this, [this](TensorId node) { last_.select(node); });
    connect(by_, &QComboBox::currentIndexChanged, this, &ProfilePanel::show_run);
    connect(&last_, &LastRun::changed, this, &ProfilePanel::show_run);
    connect(&last_, &LastRun::selection_changed, this, &ProfilePanel::show_selection);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (following_ || !current.isValid()) return;
                last_.select(TensorId(current.data(kTensorRole).toInt()));
            });
    show_run();
}

void ProfilePanel::show_run() {
    const TimedRun run = last_.run();
    part_->setCurrentIndex(std::max(0, part_->findData(static_cast<int>(last_.part()))));
    show_note(*stand_in_, last_.stand_in_text());
    const bool flame = by_->currentData().toInt() == kFlame;
    pages_->setCurrentIndex(!run ? 0 : flame ? 2 : 1);
    if (!run) {
        job_.cancel();
        note_->clear();
        following_ = true;
        model_.set_profile({}, nullptr);
        flame_->set_boxes({}, 1);
        following_ = false;
        return;
    }
    if (flame) {
        job_.start([run](const JobContext& job) { return make_flame(run, job); },
                   [this, run](Flame flame) {
                       note_->setText(note_of(flame.estimated));
                       flame_->set_boxes(std::move(flame.boxes), run.analysis->machine->backends.size());
                       show_selection();
                   });
        return;
    }
    job_.start([run, by = static_cast<ProfileBy>(by_->currentData().toInt())](
                   const JobContext& job) { return make_profile(run, by, job); },
               [this, run](Profile profile) {
                   note_->setText(note_of(profile.estimated));
                   backend_delegate_->set_backend_count(run.analysis->machine->backends.size());
                   following_ = true;
                   model_.set_profile(std::move(profile), run.analysis);
                   following_ = false;
                   show_selection();
               });
}

QString ProfilePanel::note_of(bool estimated) const {
    QString part = last_.part() == RunPart::prompt ? tr("The prompt") : tr("The last token");
    if (const auto mean = last_.mean(); mean && mean->runs > 1)
        part = tr("%1 tokens, on average; the slowest, token %2, took %3")
                   .arg(count_text(mean->runs), count_text(mean->slowest + 1),
                        time_text(mean->slowest_duration));
    return estimated ? tr("%1. Nodes were computed together, and their shares are estimated by "
                          "FLOPs; “Time every node” measures them.")
                           .arg(part)
                     : tr("%1, every node timed separately.").arg(part);
}

void ProfilePanel::show_selection() {
    flame_->set_selected(last_.selected());
    following_ = true;
    show_row(*table_, model_.row_of_slowest(last_.selected()));
    following_ = false;
}

}  // namespace splitscope::ui
