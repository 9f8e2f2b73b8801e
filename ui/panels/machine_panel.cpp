// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/machine_panel.hpp"

#include <QBoxLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QMenu>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/support/limits.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/panel_parts.hpp"
#include "ui/panels/session_edits.hpp"

namespace splitscope::ui {
namespace {

constexpr int kSideBySide = 900;  ///< pixels

}  // namespace

MachinePanel::MachinePanel(const PanelContext& context)
    : document_(context.document),
      theme_(context.theme),
      preset_job_(tr("Reading device presets")),
      add_job_(tr("Adding the device")) {
    context.status.watch(add_job_);
    source_ = new MachineSource(document_);
    setup_ = new SetupBar(document_);
    search_ = new PlacementSearch(document_);
    context.status.watch(source_->job());
    context.status.watch(search_->job(), StatusLine::Errors::own);
    auto* first = new QVBoxLayout;
    first->setContentsMargins(8, 6, 8, 2);
    first->setSpacing(4);
    for (QWidget* row : std::initializer_list<QWidget*>{source_, setup_, search_}) first->addWidget(row);
    inside_ = new QWidget;
    groups_ = new QBoxLayout(QBoxLayout::TopToBottom, inside_);
    groups_->setContentsMargins(8, 6, 8, 6);
    groups_->setSpacing(8);
    groups_->addWidget(make_devices(), 2);
    device_ = new DeviceEditor(document_);
    groups_->addWidget(device_, 3);
    options_ = new ModelOptionsEditor(document_);
    groups_->addWidget(options_, 2);
    placement_ = new PlacementEditor(document_, theme_);
    groups_->addWidget(placement_, 4);
    auto* scroll = new QScrollArea;
    scroll->setWidget(inside_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(first);
    all->addWidget(scroll, 1);
    connect(&document_, &Document::session_changed, this, &MachinePanel::show_session);
    // The device belongs to the previous document.
    connect(&document_, &Document::opened, &add_job_, &JobChannel::cancel);
    connect(source_, &MachineSource::found, this, [this](const QString& text) {
        found_->setText(text);
        found_->setVisible(!text.isEmpty());
        found_machine_.reset();
    });
    connect(source_, &MachineSource::chosen, this, [this](const std::optional<KnownMachine>& machine) {
        chosen_ = 0;
        // The text describes the first machine chosen after the search.
        if (!found_machine_ && machine) found_machine_ = machine->machine.backends;
    });
    connect(source_, &MachineSource::chosen, &context.links, &PanelLinks::machine_chosen);
    connect(source_, &MachineSource::open_file_requested, &context.links,
            &PanelLinks::machine_open_requested);
    connect(source_, &MachineSource::save_file_requested, &context.links,
            &PanelLinks::machine_save_requested);
    connect(setup_, &SetupBar::program_chosen, &context.links, &PanelLinks::program_chosen);
    connect(&context.links, &PanelLinks::machine_requested, this,
            [this, &links = context.links](const std::filesystem::path& file) {
                source_->use_file(file);
                emit links.panel_requested(this);
            });
    connect(&context.links, &PanelLinks::search_requested, this, [this, &links = context.links] {
        emit links.panel_requested(this);
        search_->search();
    });
    connect(&theme_, &Theme::changed, this, &MachinePanel::show_session);
    connect(&context.links, &PanelLinks::device_requested, this,
            [this, &links = context.links](BackendId backend) {
                select_device(backend);
                emit links.panel_requested(this);
            });
    show_session();
}

/// Side by side if there is room, else stacked.
void MachinePanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    groups_->setDirection(width() >= kSideBySide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

QWidget* MachinePanel::make_devices() {
    auto* box = new QGroupBox(tr("Devices, highest priority first"));
    devices_ = new QListWidget;
    devices_->setAccessibleName(tr("Devices in priority order"));
    devices_->setDragDropMode(QAbstractItemView::InternalMove);
    devices_->setDefaultDropAction(Qt::MoveAction);
    devices_->setFixedHeight(80);
    auto* add = new QPushButton(tr("Add"));
    add_menu_ = new QMenu(add);
    add_menu_->setToolTipsVisible(true);
    fill_presets();
    add->setMenu(add_menu_);
    connect(&preset_job_, &JobChannel::failed, this,
            [this](const JobFailure& failure) { add_menu_->actions().front()->setText(failure.text); });
    preset_job_.start([](const JobContext& job) { return load_presets(job); },
                      [this](std::vector<PresetDevice> presets) {
                          presets_ = std::move(presets);
                          source_->set_presets(presets_);
                          device_->set_presets(presets_);
                          fill_presets();
                          show_device();
                      });
    remove_ = new QPushButton(tr("Remove"));
    up_ = new QPushButton(tr("Up"));
    down_ = new QPushButton(tr("Down"));
    auto* buttons = new QGridLayout;
    buttons->setSpacing(4);
    buttons->addWidget(add, 0, 0);
    buttons->addWidget(remove_, 0, 1);
    buttons->addWidget(up_, 1, 0);
    buttons->addWidget(down_, 1, 1);
    auto* column = new QVBoxLayout(box);
    column->addWidget(devices_);
    column->addLayout(buttons);
    found_ = new QLabel;
    found_->setAccessibleName(tr("Devices that were found"));
    found_->setWordWrap(true);
    found_->setTextFormat(Qt::PlainText);
    found_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    found_->hide();
    column->addWidget(found_);

    connect(remove_, &QPushButton::clicked, this, &MachinePanel::remove_device);
    connect(up_, &QPushButton::clicked, this, [this] { move_device(-1); });
    connect(down_, &QPushButton::clicked, this, [this] { move_device(+1); });
    connect(devices_, &QListWidget::currentRowChanged, this, [this](int row) {
        if (showing_ || row < 0) return;
        chosen_ = static_cast<std::size_t>(row);
        show_device();
    });
    connect(devices_->model(), &QAbstractItemModel::rowsMoved, this,
            [this](const QModelIndex&, int start, int, const QModelIndex&, int row) {
                if (showing_) return;
                const int to = row > start ? row - 1 : row;
                const Machine moved =
                    with_backend_moved(document_.session().machine, static_cast<std::size_t>(start),
                                       static_cast<std::size_t>(to));
                chosen_ = static_cast<std::size_t>(to);
                // The list is being changed.
                QMetaObject::invokeMethod(
                    this,
                    [this, moved] {
                        edit_machine(document_, tr("priority"), moved);
                        show_session();
                    },
                    Qt::QueuedConnection);
            });
    connect(&add_job_, &JobChannel::failed, this,
            [this](const JobFailure& failure) { devices_->setToolTip(failure.text); });
    return box;
}

std::size_t MachinePanel::current() const {
    const std::size_t count = document_.session().machine.backends.size();
    return count == 0 ? 0 : std::min(chosen_, count - 1);
}

void MachinePanel::fill_presets() {
    add_menu_->clear();
    if (presets_.empty()) add_menu_->addAction(tr("Reading the presets …"))->setEnabled(false);
    QString family;
    for (const PresetDevice& preset : presets_) {
        if (preset.family != family) add_menu_title(*add_menu_, preset.family);
        family = preset.family;
        add_menu_->addAction(preset.title, this, [this, name = preset.name] { add_device(name); })
            ->setToolTip(preset.details);
    }
    add_menu_->addSeparator();
    add_menu_->addAction(tr("This computer's devices"), this, &MachinePanel::detect_devices);
}

void MachinePanel::select_device(BackendId backend) {
    if (backend.valid() && static_cast<int>(backend.index()) < devices_->count()) {
        devices_->setCurrentRow(static_cast<int>(backend.index()));
    }
}

void MachinePanel::add_device(const QString& name) {
    const auto found = std::ranges::find(presets_, name, &PresetDevice::name);
    if (!document_.has_session() || found == presets_.end()) return;
    if (document_.session().machine.backends.size() >= kMaxBackends) return;
    struct Added {
        Session before;
        Session after;
        BackendId device;
    };
    add_job_.start(
        [session = document_.session(), preset = found->preset](const JobContext&) {
            Added added{session, session, {}};
            added.device = add_preset(added.after, preset);
            return added;
        },
        [this, name](const Added& added) {
            Session changed = document_.session();
            if (changed.machine != added.before.machine || changed.devices != added.before.devices) {
                add_device(name);
                return;
            }
            changed.machine = added.after.machine;
            changed.devices = added.after.devices;
            chosen_ = added.device.index();
            document_.edit(tr("Add the device %1").arg(device_label(changed, BackendId(chosen_))), changed);
        });
}

void MachinePanel::remove_device() {
    if (!document_.has_session()) return;
    const Machine& machine = document_.session().machine;
    edit_machine(document_,
                 tr("devices: remove %1").arg(device_label(document_.session(), BackendId(current()))),
                 without_backend(machine, current()));
}

void MachinePanel::move_device(int step) {
    if (!document_.has_session()) return;
    const std::size_t from = current();
    if (step < 0 && from == 0) return;
    const std::size_t to = step < 0 ? from - 1 : from + 1;
    if (to + 1 >= document_.session().machine.backends.size()) return;
    chosen_ = to;
    edit_machine(document_, tr("priority"), with_backend_moved(document_.session().machine, from, to));
}

void MachinePanel::detect_devices() {
    source_->use_this_computer(DeviceUse::all);
}

void MachinePanel::show_session() {
    showing_ = true;
    const Session& session = document_.session();
    const bool open = document_.has_session();
    const auto& backends = session.machine.backends;
    inside_->setEnabled(open);
    devices_->clear();
    for (std::size_t b = 0; b < backends.size(); ++b) {
        auto* item = new QListWidgetItem(theme_.swatch(BackendId(b), backends.size()),
                                         device_label(session, BackendId(b)));
        item->setToolTip(
            tr("%1 of the machine, %2").arg(to_text(backends[b].name), to_text(name_of(backends[b].device))));
        Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
        // The CPU is always last and cannot be dragged.
        if (b + 1 < backends.size()) flags |= Qt::ItemIsDragEnabled;
        item->setFlags(flags);
        devices_->addItem(item);
    }
    devices_->setCurrentRow(static_cast<int>(current()));
    if (found_machine_)
        found_->setVisible(
            !found_->text().isEmpty() &&
            std::ranges::equal(*found_machine_, backends, {}, &MachineBackend::name, &MachineBackend::name));
    // As high as its rows, up to a limit.
    constexpr int kMaxRows = 8;
    const int rows = std::clamp(devices_->count(), 2, kMaxRows);
    devices_->setFixedHeight(rows * std::max(devices_->sizeHintForRow(0), 20) + 2 * devices_->frameWidth() +
                             8);
    showing_ = false;
    show_device();
}

void MachinePanel::show_device() {
    const std::size_t count = document_.session().machine.backends.size();
    const std::size_t index = current();
    const bool last = index + 1 >= count;
    remove_->setEnabled(!last);
    up_->setEnabled(!last && index > 0);
    down_->setEnabled(index + 2 < count);
    device_->show_device(index);
}

}  // namespace splitscope::ui
