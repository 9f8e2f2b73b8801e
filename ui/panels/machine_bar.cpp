// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/machine_bar.hpp"

#include <QHBoxLayout>

#include "engine/session/model_placement.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/generation_items.hpp"

namespace splitscope::ui {

MachineBar::MachineBar(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
    generation_ = new QComboBox;
    for (const Generation g : kGenerations) generation_->addItem(to_text(name_of(g)), static_cast<int>(g));
    generation_->setToolTip(tr("Generation of the scheduler"));
    generation_->setAccessibleName(tr("Generation"));
    kind_ = new QComboBox;
    kind_->addItem(tr("Decode"), static_cast<int>(GraphKind::decode));
    kind_->addItem(tr("Prefill"), static_cast<int>(GraphKind::prefill));
    kind_->setToolTip(tr("Decode: the graph of one token. Prefill: the graph of a prompt batch"));
    kind_->setAccessibleName(tr("Graph"));
    layers_ = new QSlider(Qt::Horizontal);
    layers_->setMinimumWidth(110);
    layers_->setMaximumWidth(200);
    layers_->setToolTip(tr("Layers with weights on accelerators; the output layer counts as one"));
    layers_->setAccessibleName(tr("Layers on the GPU"));
    layers_name_ = new QLabel(tr("GPU layers"));
    layers_name_->setProperty("role", "muted");
    typed_layers_ = new QSpinBox;
    // Without keyboard tracking, because every digit would reschedule.
    typed_layers_->setKeyboardTracking(false);
    typed_layers_->setToolTip(layers_->toolTip());
    typed_layers_->setAccessibleName(tr("Number of layers on the GPU"));
    auto* scheduler = new QLabel(tr("Scheduler"));
    scheduler->setProperty("role", "muted");

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(6, 0, 6, 0);
    row->setSpacing(8);
    row->addWidget(scheduler);
    row->addWidget(generation_);
    row->addWidget(kind_);
    graphs_ = new GraphChooser(document_);
    row->addWidget(graphs_);
    row->addSpacing(6);
    row->addWidget(layers_name_);
    row->addWidget(layers_);
    row->addWidget(typed_layers_);
    row->addStretch(1);

    connect(generation_, &QComboBox::currentIndexChanged, this, [this] {
        Session changed = document_.session();
        changed.generation = static_cast<Generation>(generation_->currentData().toInt());
        edit(tr("generation"), changed);
    });
    connect(kind_, &QComboBox::currentIndexChanged, this, [this] {
        Session changed = document_.session();
        changed.model_options.kind = static_cast<GraphKind>(kind_->currentData().toInt());
        edit(tr("graph"), changed);
    });
    connect(layers_, &QSlider::valueChanged, this, &MachineBar::set_layers);
    connect(typed_layers_, &QSpinBox::valueChanged, this, &MachineBar::set_layers);
    connect(&document, &Document::session_changed, this, &MachineBar::show_session);
    show_session();
}

void MachineBar::edit(const QString& what, const Session& changed, bool gradual) {
    if (!showing_) document_.edit(tr("Change %1").arg(what), changed, gradual);
}

void MachineBar::set_layers(int layers) {
    if (showing_) return;
    Session changed = document_.session();
    if (changed.model_options.gpu_layers == layers) return;
    changed.model_options.gpu_layers = layers;
    edit(tr("GPU layers"), changed, true);
}

void MachineBar::show_session() {
    showing_ = true;
    const Session& session = document_.session();
    const bool open = document_.has_session();
    const bool model = open && session.file->model;
    generation_->setEnabled(open);
    enable_generations(*generation_, session.file.get());
    kind_->setEnabled(model);
    layers_->setEnabled(model);
    layers_name_->setEnabled(model);
    typed_layers_->setEnabled(model);
    const auto show = [open](QComboBox& box, int value) {
        box.setCurrentIndex(open ? box.findData(value) : -1);
    };
    show(*generation_, static_cast<int>(session.generation));
    show(*kind_, static_cast<int>(session.model_options.kind));
    if (model) {
        const std::uint32_t layers = session.file->model->shape().layers;
        const std::int32_t accelerated = accelerated_layers(session);
        layers_->setRange(0, static_cast<int>(layers) + 1);
        layers_->setValue(accelerated);
        typed_layers_->setRange(0, layers_->maximum());
        typed_layers_->setSuffix(QStringLiteral(" / %1").arg(layers_->maximum()));
        typed_layers_->setValue(accelerated);
    } else {
        layers_->setValue(0);
        typed_layers_->setSuffix({});
        typed_layers_->setValue(0);
    }
    showing_ = false;
}

}  // namespace splitscope::ui
