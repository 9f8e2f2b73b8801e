// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/machine_source.hpp"

#include <QGridLayout>
#include <utility>

#include "engine/support/file.hpp"
#include "engine/support/limits.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/panel_parts.hpp"

namespace splitscope::ui {

MachineSource::MachineSource(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), job_(tr("Finding the machine")) {
    this_computer_ = new QPushButton(tr("My computer"));
    this_computer_->setToolTip(tr("Replace the machine with the devices of this computer"));
    auto* preset = new QPushButton(tr("Preset"));
    preset->setToolTip(tr("Replace the machine with one that has this device, whether or not it is present"));
    presets_ = new QMenu(preset);
    presets_->setToolTipsVisible(true);
    preset->setMenu(presets_);
    auto* file = new QPushButton(tr("File"));
    file->setToolTip(tr("Open or save the machine"));
    auto* files = new QMenu(file);
    files->addAction(tr("Open a machine …"), this, &MachineSource::open_file_requested);
    save_ = files->addAction(tr("Save the machine …"), this, &MachineSource::save_file_requested);
    file->setMenu(files);
    auto* rows = new QGridLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(4);
    rows->addWidget(this_computer_, 0, 0);
    rows->addWidget(preset, 0, 1);
    rows->addWidget(file, 1, 0);
    kind_values_ = new KindValuesMenu(document, this);
    if (kind_values_->is_needed()) {
        auto* engine = new QPushButton(tr("Engine"));
        engine->setToolTip(tr("Use the devices of your own build of ggml, and of its servers"));
        engine->setMenu(kind_values_);
        rows->addWidget(engine, 1, 1);
        connect(kind_values_, &KindValuesMenu::value_set, this, [this] { use_this_computer(); });
    }
    connect(this_computer_, &QPushButton::clicked, this, [this] { use_this_computer(); });
    const auto update = [this] { save_->setEnabled(document_.has_session()); };
    connect(&document, &Document::session_changed, this, update);
    // The status line may be too short for it.
    connect(&job_, &JobChannel::failed, this,
            [this](const JobFailure& failure) { emit found(failure.text); });
    // The search was for the previous document.
    connect(&document, &Document::opened, &job_, &JobChannel::cancel);
    update();
    set_presets({});
}

void MachineSource::set_presets(const std::vector<PresetDevice>& presets) {
    presets_->clear();
    presets_->addAction(tr("Simulated GPU and CPU"), this, &MachineSource::use_simulated);
    QString family;
    for (const PresetDevice& preset : presets) {
        if (preset.family != family) add_menu_title(*presets_, preset.family);
        family = preset.family;
        presets_->addAction(preset.title, this, [this, name = preset.name] { use_preset(name); })
            ->setToolTip(preset.details);
    }
}

void MachineSource::replace(const QString& what, const KnownMachine& machine) {
    emit chosen(machine);
    if (!document_.has_session()) return;
    Session changed = document_.session();
    replace_machine(changed, machine);
    document_.edit(what, changed);
}

void MachineSource::use_this_computer(DeviceUse use) {
    job_.start([kinds = document_.kinds(), options = document_.kind_options(),
                use](const JobContext& job) { return detect_machine(kinds, options, job, use); },
               [this](const DetectedMachine& detected) {
                   emit found(detected.found);
                   replace(tr("Use this computer's devices"), detected.known);
               });
}

void MachineSource::use_preset(const QString& name) {
    job_.start(
        [name = name.toStdString()](const JobContext&) { return known_machine(hardware_of_presets({name})); },
        [this](const KnownMachine& machine) {
            replace(tr("Use the machine %1").arg(to_text(machine.machine.name)), machine);
        });
}

void MachineSource::use_simulated() {
    job_.cancel();
    const KnownMachine simulated{default_machine(), {}};
    replace(tr("Use the simulated machine"), simulated);
    emit chosen(std::nullopt);
}

void MachineSource::use_file(const std::filesystem::path& path) {
    job_.start(
        [path](const JobContext& job) {
            return parse_known_machine(read_text_file(path, kMaxTextBytes, job.stop_token()), path.string(),
                                       job.memory_bound());
        },
        [this, path](const KnownMachine& machine) {
            replace(tr("Use the machine of %1").arg(to_text(path.filename().string())), machine);
        });
}

}  // namespace splitscope::ui
