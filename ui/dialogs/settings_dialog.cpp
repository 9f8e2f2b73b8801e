// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/settings_dialog.hpp"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

constexpr int kGenerationOfFile = -1;

void choose(QComboBox& box, int value) {
    box.setCurrentIndex(std::max(0, box.findData(value)));
}

}  // namespace

SettingsDialog::SettingsDialog(Settings& settings, Theme& theme, QWidget* parent)
    : QDialog(parent), settings_(settings), app_theme_(theme) {
    setWindowTitle(tr("Settings"));
    resize(460, 0);
    theme_ = new QComboBox;
    theme_->setObjectName(QStringLiteral("theme"));
    theme_->addItem(tr("system default"), static_cast<int>(ThemeMode::system));
    theme_->addItem(tr("dark"), static_cast<int>(ThemeMode::dark));
    theme_->addItem(tr("light"), static_cast<int>(ThemeMode::light));
    choose(*theme_, static_cast<int>(settings.theme()));
    language_ = new QComboBox;
    language_->addItem(tr("system default"), static_cast<int>(Language::system));
    // Languages have their own names.
    language_->addItem(QStringLiteral("English"), static_cast<int>(Language::english));
    language_->addItem(QStringLiteral("简体中文"), static_cast<int>(Language::chinese));
    language_->setToolTip(tr("Language of the interface; applies from the next start"));
    choose(*language_, static_cast<int>(settings.language()));
    start_ = new QComboBox;
    start_->addItem(tr("the sample model"), static_cast<int>(StartWith::sample));
    start_->addItem(tr("the last opened file"), static_cast<int>(StartWith::last_file));
    start_->addItem(tr("nothing"), static_cast<int>(StartWith::nothing));
    choose(*start_, static_cast<int>(settings.start_with()));
    generation_ = new QComboBox;
    generation_->addItem(tr("from the file, else the default"), kGenerationOfFile);
    for (const Generation g : kGenerations) generation_->addItem(to_text(name_of(g)), static_cast<int>(g));
    generation_->setToolTip(tr("For new sessions; saved sessions keep their own"));
    const auto generation = settings.generation();
    choose(*generation_, generation ? static_cast<int>(*generation) : kGenerationOfFile);
    const CanvasOptions canvas = settings.canvas();
    graphviz_ = new QCheckBox(tr("Lay out with Graphviz"));
    graphviz_->setToolTip(tr("If disabled, only the quick layout is used, which is always shown first"));
    graphviz_->setChecked(canvas.graphviz);
    seconds_ = new QSpinBox;
    seconds_->setRange(1, 600);
    seconds_->setSuffix(tr(" s"));
    seconds_->setValue(canvas.graphviz_seconds);
    minimap_ = new QCheckBox(tr("Show the minimap"));
    minimap_->setChecked(canvas.minimap);
    ask_ = new QCheckBox(tr("Ask before discarding changes to a session"));
    ask_->setChecked(settings.confirm_before_discard());
    autosave_ = new QCheckBox(tr("Keep unsaved changes in case of a crash"));
    autosave_->setChecked(settings.autosave());

    auto* look = new QGroupBox(tr("General"));
    auto* look_form = new QFormLayout(look);
    look_form->addRow(tr("Theme"), theme_);
    look_form->addRow(tr("Language"), language_);
    look_form->addRow(tr("Open at startup"), start_);
    look_form->addRow(tr("Scheduler"), generation_);
    auto* graph = new QGroupBox(tr("Graph"));
    auto* graph_form = new QFormLayout(graph);
    graph_form->addRow(graphviz_);
    graph_form->addRow(tr("for at most"), seconds_);
    graph_form->addRow(minimap_);
    auto* session = new QGroupBox(tr("Session"));
    auto* session_form = new QFormLayout(session);
    session_form->addRow(ask_);
    session_form->addRow(autosave_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* all = new QVBoxLayout(this);
    for (QWidget* part : std::initializer_list<QWidget*>{look, graph, session, buttons}) all->addWidget(part);

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(theme_, &QComboBox::currentIndexChanged, this, [this] {
        const auto mode = static_cast<ThemeMode>(theme_->currentData().toInt());
        settings_.set_theme(mode);
        app_theme_.set_mode(mode);
    });
    for (QComboBox* box : {language_, start_, generation_}) {
        connect(box, &QComboBox::currentIndexChanged, this, &SettingsDialog::store);
    }
    for (QCheckBox* box : {graphviz_, minimap_, ask_, autosave_}) {
        connect(box, &QCheckBox::toggled, this, &SettingsDialog::store);
    }
    connect(seconds_, &QSpinBox::valueChanged, this, &SettingsDialog::store);
    connect(graphviz_, &QCheckBox::toggled, seconds_, &QWidget::setEnabled);
    seconds_->setEnabled(canvas.graphviz);
}

void SettingsDialog::store() {
    settings_.set_language(static_cast<Language>(language_->currentData().toInt()));
    settings_.set_start_with(static_cast<StartWith>(start_->currentData().toInt()));
    const int generation = generation_->currentData().toInt();
    settings_.set_generation(
        generation == kGenerationOfFile ? std::nullopt : std::optional(static_cast<Generation>(generation)));
    settings_.set_canvas({graphviz_->isChecked(), seconds_->value(), minimap_->isChecked()});
    settings_.set_confirm_before_discard(ask_->isChecked());
    settings_.set_autosave(autosave_->isChecked());
    emit changed();
}

}  // namespace splitscope::ui
