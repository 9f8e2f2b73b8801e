// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/device_editor.hpp"

#include <algorithm>

#include "engine/messages/format_number.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/utf8.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/refusal_text.hpp"
#include "ui/panels/memory_box.hpp"
#include "ui/panels/panel_parts.hpp"
#include "ui/panels/session_edits.hpp"

namespace splitscope::ui {
namespace {

/// In the place of a preset.
constexpr int kMeasuredRates = -2;

constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;

/// Word wrap processes the whole text of a label, and a file may contain thousands of names.
QString start_of(const QStringList& names) {
    constexpr qsizetype kMaxLength = 1000;
    QString text = names.join(QStringLiteral(", "));
    if (text.size() > kMaxLength) text = text.left(kMaxLength) + QStringLiteral("…");
    return text;
}

}  // namespace

DeviceEditor::DeviceEditor(Document& document) : QGroupBox(tr("Device")), document_(document) {
    make_fields();
    connect_fields();
}

void DeviceEditor::set_presets(std::vector<PresetDevice> presets) {
    presets_ = std::move(presets);
}

void DeviceEditor::make_fields() {
    name_ = new QLineEdit;
    refused_ops_ = new QLineEdit;
    refused_ops_->setPlaceholderText(tr("none; e.g. SOFT_MAX"));
    refused_ops_->setToolTip(
        tr("Operations this device cannot run, separated by commas; after a colon, only with these element "
           "types: SOFT_MAX, MUL_MAT:iq1_m+bf16"));
    refused_types_ = new QLineEdit;
    refused_types_->setPlaceholderText(tr("none; e.g. iq1_m, bf16"));
    refused_types_->setToolTip(tr("Element types this device cannot read, separated by commas"));
    unknown_ = new QLabel;
    unknown_->setProperty("role", "error");
    unknown_->setWordWrap(true);
    unknown_->hide();
    alignment_ = new QComboBox;
    for (int alignment = 1; alignment <= kMaxBufferAlignment; alignment *= 2)
        alignment_->addItem(bytes_text(static_cast<std::uint64_t>(alignment)), alignment);
    allow_shrinking(*alignment_);
    alignment_->setToolTip(tr("Alignment of tensors in this device's memory"));
    alignment_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    largest_buffer_ = new MemoryBox(tr("no limit"));
    largest_buffer_->setToolTip(tr("Maximum size of one allocation in this device's memory"));
    memory_ = new QListWidget;
    memory_->setTextElideMode(Qt::ElideMiddle);
    memory_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    memory_->setToolTip(tr("Buffer types that this device can read without a copy"));
    memory_->setAccessibleName(tr("Readable memory"));
    offloads_ = new QCheckBox(tr("offloads operations on CPU weights"));
    offload_batch_ = new QSpinBox;
    offload_batch_->setRange(1, kMaxBatch);
    offload_batch_->setKeyboardTracking(false);
    offload_batch_->setAccessibleName(tr("Minimum batch for op offload"));
    const auto count = [box = offload_batch_](int tokens) {
        box->setSuffix(tokens == 1 ? tr(" token") : tr(" tokens"));
    };
    connect(offload_batch_, &QSpinBox::valueChanged, this, count);
    count(offload_batch_->value());
    capacity_ = new MemoryBox(tr("not known"));
    capacity_->setToolTip(
        tr("Free memory of the device. Layers are divided accordingly, and excess is marked"));
    rates_ = new QComboBox;
    allow_shrinking(*rates_);
    rates_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    async_ = new QCheckBox(tr("computes asynchronously"));
    async_->setToolTip(tr("Copies and computations are queued; the host does not wait for them"));
    events_ = new QCheckBox(tr("has events"));
    events_->setToolTip(tr("Other devices can wait for points in its queue, which pipelining requires"));
    auto* form = new_form(this);
    form->addRow(tr("Name"), name_);
    form->addRow(tr("Free memory"), capacity_);
    form->addRow(tr("Speed of"), rates_);
    form->addRow(tr("Cannot run"), refused_ops_);
    form->addRow(tr("Cannot read"), refused_types_);
    form->addRow(unknown_);
    form->addRow(tr("Alignment"), alignment_);
    form->addRow(tr("Largest buffer"), largest_buffer_);
    // Names of RPC memory are longer than a field beside its title.
    form->addRow(new QLabel(tr("Uses memory of")));
    form->addRow(memory_);
    form->addRow(offloads_);
    form->addRow(tr("from a batch of"), offload_batch_);
    form->addRow(async_);
    form->addRow(events_);
}

void DeviceEditor::connect_fields() {
    connect(name_, &QLineEdit::editingFinished, this, &DeviceEditor::rename_device);
    connect(capacity_, &QDoubleSpinBox::valueChanged, this, &DeviceEditor::set_capacity);
    connect(rates_, &QComboBox::currentIndexChanged, this, &DeviceEditor::set_rates);
    connect(refused_ops_, &QLineEdit::editingFinished, this, [this] {
        if (!was_edited(*refused_ops_)) return;
        edit_backend(tr("operations"), [refused = refused_ops_in(refused_ops_->text())](MachineBackend& b) {
            b.unsupported_ops = refused.always;
            b.unsupported = refused.with_types;
        });
    });
    connect(alignment_, &QComboBox::currentIndexChanged, this, [this] {
        const auto alignment = static_cast<std::uint64_t>(alignment_->currentData().toInt());
        edit_memory_type(tr("alignment"),
                         [alignment](MachineBufferType& type) { type.alignment = alignment; });
    });
    connect(largest_buffer_, &QDoubleSpinBox::valueChanged, this, [this](double gibibytes) {
        std::optional<std::uint64_t> size;
        if (gibibytes > 0) size = static_cast<std::uint64_t>(gibibytes * kGibibyte);
        edit_memory_type(
            tr("largest buffer"), [size](MachineBufferType& type) { type.max_size = size; }, true);
    });
    connect(refused_types_, &QLineEdit::editingFinished, this, [this] {
        if (!was_edited(*refused_types_)) return;
        edit_backend(tr("types"), [names = refused_types_in(refused_types_->text())](MachineBackend& b) {
            b.unsupported_types = names;
        });
    });
    connect(memory_, &QListWidget::itemChanged, this, [this] {
        std::vector<BufferTypeId> types;
        for (int row = 0; row < memory_->count(); ++row) {
            if (memory_->item(row)->checkState() == Qt::Checked) types.emplace_back(row);
        }
        edit_backend(tr("memory"), [types](MachineBackend& b) { b.supports_buffer_types = types; });
    });
    const auto offload_changed = [this] {
        std::optional<std::int64_t> batch;
        if (offloads_->isChecked()) batch = offload_batch_->value();
        edit_backend(
            offloads_->isChecked() ? tr("batch for offloading") : tr("offloading"),
            [batch](MachineBackend& b) { b.offload_min_batch = batch; }, true);
    };
    connect(offloads_, &QCheckBox::toggled, this, offload_changed);
    connect(offload_batch_, &QSpinBox::valueChanged, this, offload_changed);
    connect(async_, &QCheckBox::toggled, this,
            [this](bool on) { edit_backend(tr("asynchrony"), [on](MachineBackend& b) { b.async = on; }); });
    connect(events_, &QCheckBox::toggled, this,
            [this](bool on) { edit_backend(tr("events"), [on](MachineBackend& b) { b.events = on; }); });
}

void DeviceEditor::rename_device() {
    const std::string name(cut_text(name_->text().trimmed().toStdString(), kMaxMachineNameBytes));
    if (!document_.has_session() || !was_edited(*name_)) return;
    const bool taken = std::ranges::any_of(document_.session().machine.backends,
                                           [&](const auto& b) { return b.name == name; });
    if (showing_ || name.empty() || taken) {
        show_device(backend_);
        return;
    }
    Session changed = document_.session();
    std::string& old = changed.machine.backends[backend_].name;
    // Device facts are stored by name.
    if (auto facts = changed.devices.extract(old)) {
        facts.key() = name;
        changed.devices.insert(std::move(facts));
    }
    old = name;
    document_.edit(tr("Rename the device %1").arg(to_text(name)), changed);
}

void DeviceEditor::set_capacity(double gibibytes) {
    if (showing_ || !document_.has_session()) return;
    Session changed = document_.session();
    const std::string& name = changed.machine.backends[backend_].name;
    DeviceFacts& facts = changed.devices[name];
    facts.memory_free = static_cast<std::uint64_t>(gibibytes * kGibibyte);
    facts.memory_total = std::max(facts.memory_total, facts.memory_free);
    if (facts == DeviceFacts{}) changed.devices.erase(name);
    document_.edit(tr("Change the memory of %1").arg(device_label(document_.session(), name)), changed, true);
}

void DeviceEditor::set_rates() {
    const int index = rates_->currentData().toInt();
    if (showing_ || !document_.has_session() || rates_->currentIndex() < 0 || index == kMeasuredRates) return;
    Session changed = document_.session();
    const std::string& name = changed.machine.backends[backend_].name;
    DeviceFacts& facts = changed.devices[name];
    const DeviceFacts rates =
        index < 0 ? DeviceFacts{} : presets_[static_cast<std::size_t>(index)].preset.facts;
    facts.memory_bandwidth = rates.memory_bandwidth;
    facts.link_bandwidth = rates.link_bandwidth;
    facts.flops_f16 = rates.flops_f16;
    facts.flops_f32 = rates.flops_f32;
    facts.link_latency = 0;
    facts.node_seconds = 0;
    facts.weight_bandwidth.clear();
    facts.measured = false;
    if (facts == DeviceFacts{}) changed.devices.erase(name);
    document_.edit(tr("Change the speed of %1").arg(device_label(document_.session(), name)), changed);
}

/// No current item if the rates are not those of a preset.
void DeviceEditor::show_rates(const DeviceFacts& facts) {
    const auto same = [](const DeviceFacts& a, const DeviceFacts& b) {
        return a.memory_bandwidth == b.memory_bandwidth && a.link_bandwidth == b.link_bandwidth &&
               a.flops_f16 == b.flops_f16 && a.flops_f32 == b.flops_f32;
    };
    rates_->clear();
    rates_->addItem(tr("not known"), -1);
    for (std::size_t p = 0; p < presets_.size(); ++p) {
        rates_->addItem(short_device_title(presets_[p].title.toStdString()), static_cast<int>(p));
        rates_->setItemData(rates_->count() - 1, presets_[p].title, Qt::ToolTipRole);
    }
    const auto found = std::ranges::find_if(
        presets_, [&](const PresetDevice& preset) { return same(preset.preset.facts, facts); });
    rates_->setToolTip(facts.measured
                           ? tr("Speeds are estimated from the rates that splitscope calibrate measured")
                           : tr("Speeds are estimated from the published rates of this device"));
    if (facts.measured) {
        rates_->addItem(tr("measured: %1 GB/s").arg(to_text(format_figure(facts.memory_bandwidth / 1e9))),
                        kMeasuredRates);
        rates_->setCurrentIndex(rates_->count() - 1);
        return;
    }
    rates_->setCurrentIndex(same(facts, {})           ? 0
                            : found == presets_.end() ? -1
                                                      : static_cast<int>(found - presets_.begin()) + 1);
}

void DeviceEditor::edit_backend(const QString& what, const std::function<void(MachineBackend&)>& change,
                                bool gradual) {
    if (showing_ || !document_.has_session()) return;
    Machine machine = document_.session().machine;
    MachineBackend& backend = machine.backends[backend_];
    change(backend);
    edit_machine(document_, tr("%1 of %2").arg(what, device_label(document_.session(), BackendId(backend_))),
                 machine, gradual);
}

void DeviceEditor::edit_memory_type(const QString& what,
                                    const std::function<void(MachineBufferType&)>& change, bool gradual) {
    if (showing_ || !document_.has_session()) return;
    Machine machine = document_.session().machine;
    const MachineBackend& backend = machine.backends[backend_];
    change(machine.buffer_types[backend.buffer_type.index()]);
    edit_machine(document_, tr("%1 of %2").arg(what, device_label(document_.session(), BackendId(backend_))),
                 machine, gradual);
}

void DeviceEditor::show_device(std::size_t backend_index) {
    backend_ = backend_index;
    const Machine& machine = document_.session().machine;
    setEnabled(!machine.backends.empty());
    if (machine.backends.empty()) return;
    showing_ = true;
    const MachineBackend& backend = machine.backends[backend_];
    const bool last = backend_ + 1 == machine.backends.size();
    setTitle(device_label(document_.session(), BackendId(backend_)));
    show_for_editing(*name_, to_text(backend.name));
    const auto facts = document_.session().devices.find(backend.name);
    const DeviceFacts known = facts == document_.session().devices.end() ? DeviceFacts{} : facts->second;
    capacity_->setValue(static_cast<double>(known.memory_free) / kGibibyte);
    show_rates(known);
    setToolTip(to_text(known.title));
    show_for_editing(*refused_ops_, refused_ops_text(backend));
    show_for_editing(*refused_types_, joined_names(backend.unsupported_types));
    const QStringList unknown = names_without_effect(backend);
    unknown_->setText(tr("Unknown, without effect: %1").arg(start_of(unknown)));
    unknown_->setVisible(!unknown.isEmpty());
    const MachineBufferType& own = machine.buffer_types[backend.buffer_type.index()];
    alignment_->setCurrentIndex(alignment_->findData(QVariant::fromValue(static_cast<int>(own.alignment))));
    largest_buffer_->setValue(own.max_size ? static_cast<double>(*own.max_size) / kGibibyte : 0);
    memory_->clear();
    for (std::size_t t = 0; t < machine.buffer_types.size(); ++t) {
        auto* item = new QListWidgetItem(to_text(machine.buffer_types[t].name));
        item->setToolTip(item->text());
        const BufferTypeId type(t);
        const bool reads =
            std::ranges::find(backend.supports_buffer_types, type) != backend.supports_buffer_types.end();
        item->setCheckState(reads ? Qt::Checked : Qt::Unchecked);
        // A device always reads its own memory.
        item->setFlags(type == backend.buffer_type ? Qt::NoItemFlags
                                                   : Qt::ItemIsEnabled | Qt::ItemIsUserCheckable);
        memory_->addItem(item);
    }
    constexpr int kMostRows = 5;
    memory_->setFixedHeight(std::min(memory_->count(), kMostRows) * memory_->sizeHintForRow(0) +
                            2 * memory_->frameWidth());
    offloads_->setEnabled(!last);
    offloads_->setChecked(backend.offload_min_batch.has_value());
    offload_batch_->setEnabled(backend.offload_min_batch.has_value());
    offload_batch_->setValue(static_cast<int>(backend.offload_min_batch.value_or(32)));
    async_->setChecked(backend.async);
    events_->setChecked(backend.events);
    showing_ = false;
}

}  // namespace splitscope::ui
