// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/machine_panel.hpp"

#include <QBoxLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QMenu>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "engine/formats/machine_json.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/utf8.hpp"
#include "engine/tensor/element_type.hpp"
#include "engine/tensor/op.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/panel_parts.hpp"

namespace splitscope::ui {
namespace {

/// In the place of a preset.
constexpr int kMeasuredRates = -2;

constexpr int kSideBySide = 900;  ///< pixels
constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;
constexpr double kMaxGibibytes = 1 << 20;
constexpr std::array kCacheTypes{ElementType::f32,  ElementType::f16,  ElementType::bf16, ElementType::q8_0,
                                 ElementType::q5_1, ElementType::q5_0, ElementType::q4_1, ElementType::q4_0};

/// Flash attention options; two flags of ModelOptions.
enum FlashChoice : int { kFlashOff, kFlashOn, kFlashAutomatic };

QString joined(const std::vector<std::string>& names) {
    QStringList list;
    for (const std::string& name : names) list += to_text(name);
    return list.join(QStringLiteral(", "));
}

std::vector<std::string> names_in(const QString& text) {
    std::vector<std::string> names;
    for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QString name = part.trimmed();
        if (!name.isEmpty()) names.push_back(name.toStdString());
    }
    return names;
}

/// A device's refusals: "SOFT_MAX", or "MUL_MAT:iq1_m+bf16" for these types only.
struct RefusedOps {
    std::vector<std::string> always;
    std::vector<UnsupportedPair> with_types;
};

QString text_of(const MachineBackend& backend) {
    QStringList list;
    for (const std::string& op : backend.unsupported_ops) list += to_text(op);
    for (const UnsupportedPair& pair : backend.unsupported) {
        QStringList types;
        for (const std::string& type : pair.types) types += to_text(type);
        list += QStringLiteral("%1:%2").arg(to_text(pair.op), types.join(QLatin1Char('+')));
    }
    return list.join(QStringLiteral(", "));
}

RefusedOps refused_in(const QString& text) {
    RefusedOps refused;
    for (const std::string& part : names_in(text)) {
        const QString entry = to_text(part);
        const std::string op = entry.section(QLatin1Char(':'), 0, 0).trimmed().toUpper().toStdString();
        std::vector<std::string> types;
        for (const QString& type :
             entry.section(QLatin1Char(':'), 1).split(QLatin1Char('+'), Qt::SkipEmptyParts))
            types.push_back(type.trimmed().toLower().toStdString());
        if (!entry.contains(QLatin1Char(':'))) {
            refused.always.push_back(op);
        } else {
            refused.with_types.push_back({op, std::move(types)});
        }
    }
    return refused;
}

/// Names that are neither operations nor element types: kept without effect.
QStringList names_without_effect(const MachineBackend& backend) {
    QStringList unknown;
    const auto check_op = [&](const std::string& op) {
        if (!op_named(op)) unknown += to_text(op);
    };
    const auto check_type = [&](const std::string& type) {
        if (!element_type_named(type)) unknown += to_text(type);
    };
    for (const std::string& op : backend.unsupported_ops) check_op(op);
    for (const std::string& type : backend.unsupported_types) check_type(type);
    for (const UnsupportedPair& pair : backend.unsupported) {
        check_op(pair.op);
        for (const std::string& type : pair.types) check_type(type);
    }
    unknown.removeDuplicates();
    return unknown;
}

/// Word wrap processes the whole text of a label, and a file may contain thousands of names.
QString start_of(const QStringList& names) {
    constexpr qsizetype kMaxLength = 1000;
    QString text = names.join(QStringLiteral(", "));
    if (text.size() > kMaxLength) text = text.left(kMaxLength) + QStringLiteral("…");
    return text;
}

QComboBox* new_cache_types(const QString& none) {
    auto* box = new QComboBox;
    box->addItem(none, -1);
    for (const ElementType type : kCacheTypes) box->addItem(to_text(name_of(type)), static_cast<int>(type));
    return box;
}

std::optional<ElementType> chosen_type(const QComboBox& box) {
    const int type = box.currentData().toInt();
    return type < 0 ? std::nullopt : std::optional(static_cast<ElementType>(type));
}

void show_type(QComboBox& box, const std::optional<ElementType>& type) {
    box.setCurrentIndex(std::max(0, box.findData(type ? static_cast<int>(*type) : -1)));
}

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
    groups_->addWidget(make_device(), 3);
    groups_->addWidget(make_model(), 2);
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
    });
    connect(source_, &MachineSource::chosen, this, [this] { chosen_ = 0; });
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
                        edit_machine(tr("priority"), moved);
                        show_session();
                    },
                    Qt::QueuedConnection);
            });
    connect(&add_job_, &JobChannel::failed, this,
            [this](const JobFailure& failure) { devices_->setToolTip(failure.text); });
    return box;
}

QWidget* MachinePanel::make_device() {
    device_ = new QGroupBox(tr("Device"));
    name_ = new QLineEdit;
    refused_ops_ = new QLineEdit;
    refused_ops_->setPlaceholderText(tr("none; e.g. SOFT_MAX, MUL_MAT:iq1_m+bf16"));
    refused_ops_->setToolTip(
        tr("Operations this device cannot run, separated by commas; after a colon, only with these element "
           "types"));
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
    const auto memory_box = [](int decimals, const QString& none) {
        auto* box = new QDoubleSpinBox;
        box->setRange(0, kMaxGibibytes);
        box->setDecimals(decimals);
        box->setSuffix(tr(" GiB"));
        box->setSpecialValueText(none);
        box->setKeyboardTracking(false);
        return box;
    };
    largest_buffer_ = memory_box(3, tr("no limit"));
    largest_buffer_->setToolTip(tr("Maximum size of one allocation in this device's memory"));
    memory_ = new QListWidget;
    memory_->setMaximumHeight(72);
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
    capacity_ = memory_box(3, tr("not known"));
    capacity_->setToolTip(
        tr("Free memory of the device. Layers are divided accordingly, and excess is marked"));
    rates_ = new QComboBox;
    rates_->setToolTip(tr("Speeds are estimated from the published rates of this device"));
    allow_shrinking(*rates_);
    rates_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    async_ = new QCheckBox(tr("computes asynchronously"));
    async_->setToolTip(tr("Copies and computations are queued; the host does not wait for them"));
    events_ = new QCheckBox(tr("has events"));
    events_->setToolTip(tr("Other devices can wait for points in its queue, which pipelining requires"));
    auto* form = new_form(device_);
    form->addRow(tr("Name"), name_);
    form->addRow(tr("Free memory"), capacity_);
    form->addRow(tr("Speed of"), rates_);
    form->addRow(tr("Cannot run"), refused_ops_);
    form->addRow(tr("Cannot read"), refused_types_);
    form->addRow(unknown_);
    form->addRow(tr("Alignment"), alignment_);
    form->addRow(tr("Largest buffer"), largest_buffer_);
    form->addRow(tr("Uses memory of"), memory_);
    form->addRow(offloads_);
    form->addRow(tr("from a batch of"), offload_batch_);
    form->addRow(async_);
    form->addRow(events_);

    connect(name_, &QLineEdit::editingFinished, this, &MachinePanel::rename_device);
    connect(capacity_, &QDoubleSpinBox::valueChanged, this, &MachinePanel::set_capacity);
    connect(rates_, &QComboBox::currentIndexChanged, this, &MachinePanel::set_rates);
    connect(refused_ops_, &QLineEdit::editingFinished, this, [this] {
        if (!was_edited(*refused_ops_)) return;
        edit_backend(tr("operations"), [refused = refused_in(refused_ops_->text())](MachineBackend& b) {
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
        edit_backend(tr("types"), [names = names_in(refused_types_->text().toLower())](MachineBackend& b) {
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
    return device_;
}

QWidget* MachinePanel::make_model() {
    model_ = new QGroupBox(tr("Model and scheduler"));
    context_ = new QSpinBox;
    context_->setRange(0, kMaxBatch);
    context_->setSingleStep(1024);
    context_->setSpecialValueText(tr("the model's own"));
    batch_ = new QSpinBox;
    batch_->setRange(1, kMaxBatch);
    batch_->setToolTip(tr("Tokens computed at once (micro-batch): those of a prefill graph"));
    context_->setToolTip(tr("Capacity of the KV cache in tokens"));
    logical_batch_ = new QSpinBox;
    logical_batch_->setRange(1, kMaxBatch);
    logical_batch_->setToolTip(tr("Tokens submitted at once; computed in micro-batches"));
    for (QSpinBox* box : {context_, batch_, logical_batch_}) box->setKeyboardTracking(false);
    cache_type_ = new_cache_types(tr("by size"));
    cache_type_->setToolTip(tr("Element type of the cached keys; smaller types save memory"));
    cache_type_v_ = new_cache_types(tr("as the keys"));
    cache_type_v_->setToolTip(tr("Element type of the cached values; quantised ones need flash attention"));
    flash_attention_ = new QComboBox;
    flash_attention_->addItem(tr("off"), kFlashOff);
    flash_attention_->addItem(tr("on"), kFlashOn);
    flash_attention_->addItem(tr("where devices have it"), kFlashAutomatic);
    for (QComboBox* box : {cache_type_, cache_type_v_, flash_attention_}) allow_shrinking(*box);
    flash_attention_->setToolTip(tr("Attention computed as one operation that never stores all scores"));
    op_offload_ = new QCheckBox(tr("offload operations"));
    op_offload_->setToolTip(tr("Run large batches on an accelerator even if the weights are on the CPU"));
    parallel_ = new QCheckBox(tr("pipeline copies"));
    parallel_->setToolTip(tr("Several copies of the inputs, so that devices can work on different batches"));
    auto* form = new_form(model_);
    form->addRow(tr("Context"), context_);
    form->addRow(tr("Micro-batch"), batch_);
    form->addRow(tr("Batch"), logical_batch_);
    form->addRow(tr("Cached keys"), cache_type_);
    form->addRow(tr("Cached values"), cache_type_v_);
    form->addRow(tr("Flash attention"), flash_attention_);
    form->addRow(op_offload_);
    form->addRow(parallel_);
    add_model_switches(*form);

    connect(context_, &QSpinBox::valueChanged, this, [this](int value) {
        edit_options(
            tr("context"),
            [this, value](ModelOptions& o) {
                const GgufFile& file = document_.session().file->model->file();
                o.context =
                    value > 0 ? static_cast<std::uint32_t>(value) : std::max(trained_context(file), 1U);
            },
            true);
    });
    connect(batch_, &QSpinBox::valueChanged, this, [this](int value) {
        edit_options(
            tr("micro-batch"), [value](ModelOptions& o) { o.batch = static_cast<std::uint32_t>(value); },
            true);
    });
    connect(logical_batch_, &QSpinBox::valueChanged, this, [this](int value) {
        edit_options(
            tr("batch"), [value](ModelOptions& o) { o.logical_batch = static_cast<std::uint32_t>(value); },
            true);
    });
    connect(cache_type_, &QComboBox::currentIndexChanged, this, [this] {
        edit_options(tr("cached keys"),
                     [type = chosen_type(*cache_type_)](ModelOptions& o) { o.cache_type = type; });
    });
    connect(cache_type_v_, &QComboBox::currentIndexChanged, this, [this] {
        edit_options(tr("cached values"),
                     [type = chosen_type(*cache_type_v_)](ModelOptions& o) { o.cache_type_v = type; });
    });
    connect(flash_attention_, &QComboBox::currentIndexChanged, this, [this] {
        const int choice = flash_attention_->currentData().toInt();
        edit_options(tr("flash attention"), [choice](ModelOptions& o) {
            o.flash_attention = choice != kFlashOff;
            o.flash_attention_if_supported = choice == kFlashAutomatic;
        });
    });
    connect(op_offload_, &QCheckBox::toggled, this, [this](bool on) {
        Machine machine = document_.session().machine;
        machine.op_offload = on;
        edit_machine(tr("offloading"), machine);
    });
    connect(parallel_, &QCheckBox::toggled, this, [this](bool on) {
        Machine machine = document_.session().machine;
        machine.parallel = on;
        edit_machine(tr("pipeline copies"), machine);
    });
    return model_;
}

/// Rarely used options.
void MachinePanel::add_model_switches(QFormLayout& form) {
    sequences_ = new QSpinBox;
    sequences_->setRange(1, kMaxSequences);
    sequences_->setKeyboardTracking(false);
    sequences_->setToolTip(tr("Sequences that memory is reserved for (-np)"));
    form.addRow(tr("Sequences"), sequences_);
    connect(sequences_, &QSpinBox::valueChanged, this, [this](int value) {
        edit_options(
            tr("sequences"), [value](ModelOptions& o) { o.sequences = static_cast<std::uint32_t>(value); },
            true);
    });
    const auto add = [&](const QString& title, const QString& tip, bool ModelOptions::*member) {
        auto* box = new QCheckBox(title);
        box->setToolTip(tip);
        form.addRow(box);
        connect(box, &QCheckBox::toggled, this, [this, title, member](bool on) {
            edit_options(title, [on, member](ModelOptions& o) { o.*member = on; });
        });
        return box;
    };
    unified_cache_ = add(tr("one cache for all sequences"), tr("The sequences share one cache (-kvu)"),
                         &ModelOptions::unified_cache);
    full_window_cache_ = add(tr("whole window caches"),
                             tr("Sliding-window layers keep the whole context in their cache (--swa-full)"),
                             &ModelOptions::full_window_cache);
    repack_ =
        add(tr("repack CPU weights"),
            tr("The CPU repacks weights if it has kernels for that; -nr disables it"), &ModelOptions::repack);
    pinned_host_ =
        add(tr("pinned memory for CPU weights"),
            tr("CPU weights may be in pinned memory, which devices copy faster; --no-host disables it"),
            &ModelOptions::pinned_host);
}

void MachinePanel::show_model_switches(const ModelOptions& options, bool model) {
    for (QWidget* widget : std::initializer_list<QWidget*>{sequences_, unified_cache_, full_window_cache_,
                                                           repack_, pinned_host_}) {
        widget->setEnabled(model);
    }
    sequences_->setValue(static_cast<int>(options.sequences));
    unified_cache_->setChecked(options.unified_cache);
    full_window_cache_->setChecked(options.full_window_cache);
    repack_->setChecked(options.repack);
    pinned_host_->setChecked(options.pinned_host);
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
    edit_machine(tr("devices: remove %1").arg(device_label(document_.session(), BackendId(current()))),
                 without_backend(machine, current()));
}

void MachinePanel::move_device(int step) {
    if (!document_.has_session()) return;
    const std::size_t from = current();
    if (step < 0 && from == 0) return;
    const std::size_t to = step < 0 ? from - 1 : from + 1;
    if (to + 1 >= document_.session().machine.backends.size()) return;
    chosen_ = to;
    edit_machine(tr("priority"), with_backend_moved(document_.session().machine, from, to));
}

void MachinePanel::detect_devices() {
    source_->use_this_computer();
}

void MachinePanel::rename_device() {
    const std::string name(cut_text(name_->text().trimmed().toStdString(), kMaxMachineNameBytes));
    if (!document_.has_session() || !was_edited(*name_)) return;
    const bool taken = std::ranges::any_of(document_.session().machine.backends,
                                           [&](const auto& b) { return b.name == name; });
    if (showing_ || name.empty() || taken) {
        show_device();
        return;
    }
    Session changed = document_.session();
    std::string& old = changed.machine.backends[current()].name;
    // Device facts are stored by name.
    if (auto facts = changed.devices.extract(old)) {
        facts.key() = name;
        changed.devices.insert(std::move(facts));
    }
    old = name;
    document_.edit(tr("Rename the device %1").arg(to_text(name)), changed);
}

void MachinePanel::set_capacity(double gibibytes) {
    if (showing_ || !document_.has_session()) return;
    Session changed = document_.session();
    const std::string& name = changed.machine.backends[current()].name;
    DeviceFacts& facts = changed.devices[name];
    facts.memory_free = static_cast<std::uint64_t>(gibibytes * kGibibyte);
    facts.memory_total = std::max(facts.memory_total, facts.memory_free);
    if (facts == DeviceFacts{}) changed.devices.erase(name);
    document_.edit(tr("Change the memory of %1").arg(device_label(document_.session(), name)), changed, true);
}

void MachinePanel::set_rates() {
    const int index = rates_->currentData().toInt();
    if (showing_ || !document_.has_session() || rates_->currentIndex() < 0 || index == kMeasuredRates) return;
    Session changed = document_.session();
    const std::string& name = changed.machine.backends[current()].name;
    DeviceFacts& facts = changed.devices[name];
    const DeviceFacts rates =
        index < 0 ? DeviceFacts{} : presets_[static_cast<std::size_t>(index)].preset.facts;
    facts.memory_bandwidth = rates.memory_bandwidth;
    facts.link_bandwidth = rates.link_bandwidth;
    facts.flops_f16 = rates.flops_f16;
    facts.flops_f32 = rates.flops_f32;
    facts.link_latency = 0;
    facts.node_seconds = 0;
    facts.measured = false;
    if (facts == DeviceFacts{}) changed.devices.erase(name);
    document_.edit(tr("Change the speed of %1").arg(device_label(document_.session(), name)), changed);
}

/// No current item if the rates are not those of a preset.
void MachinePanel::show_rates(const DeviceFacts& facts) {
    const auto same = [](const DeviceFacts& a, const DeviceFacts& b) {
        return a.memory_bandwidth == b.memory_bandwidth && a.link_bandwidth == b.link_bandwidth &&
               a.flops_f16 == b.flops_f16 && a.flops_f32 == b.flops_f32;
    };
    rates_->clear();
    rates_->addItem(tr("not known"), -1);
    for (std::size_t p = 0; p < presets_.size(); ++p) rates_->addItem(presets_[p].title, static_cast<int>(p));
    const auto found = std::ranges::find_if(
        presets_, [&](const PresetDevice& preset) { return same(preset.preset.facts, facts); });
    if (facts.measured) {
        rates_->addItem(tr("as measured"), kMeasuredRates);
        rates_->setCurrentIndex(rates_->count() - 1);
        return;
    }
    rates_->setCurrentIndex(same(facts, {})           ? 0
                            : found == presets_.end() ? -1
                                                      : static_cast<int>(found - presets_.begin()) + 1);
}

void MachinePanel::edit_machine(const QString& what, const Machine& machine, bool gradual) {
    if (showing_ || !document_.has_session() || machine == document_.session().machine) return;
    Session changed = document_.session();
    set_machine(changed, machine);
    document_.edit(tr("Change %1").arg(what), changed, gradual);
}

void MachinePanel::edit_backend(const QString& what, const std::function<void(MachineBackend&)>& change,
                                bool gradual) {
    if (showing_ || !document_.has_session()) return;
    Machine machine = document_.session().machine;
    MachineBackend& backend = machine.backends[current()];
    change(backend);
    edit_machine(tr("%1 of %2").arg(what, device_label(document_.session(), BackendId(current()))), machine,
                 gradual);
}

void MachinePanel::edit_memory_type(const QString& what,
                                    const std::function<void(MachineBufferType&)>& change, bool gradual) {
    if (showing_ || !document_.has_session()) return;
    Machine machine = document_.session().machine;
    const MachineBackend& backend = machine.backends[current()];
    change(machine.buffer_types[backend.buffer_type.index()]);
    edit_machine(tr("%1 of %2").arg(what, device_label(document_.session(), BackendId(current()))), machine,
                 gradual);
}

void MachinePanel::edit_options(const QString& what, const std::function<void(ModelOptions&)>& change,
                                bool gradual) {
    if (showing_ || !document_.has_session()) return;
    Session changed = document_.session();
    change(changed.model_options);
    if (changed.model_options == document_.session().model_options) return;
    document_.edit(tr("Change %1").arg(what), changed, gradual);
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
    // As high as its rows, up to a limit.
    constexpr int kMaxRows = 8;
    const int rows = std::clamp(devices_->count(), 2, kMaxRows);
    devices_->setFixedHeight(rows * std::max(devices_->sizeHintForRow(0), 20) + 2 * devices_->frameWidth() +
                             8);
    const bool model = open && session.file->model;
    const ModelOptions& options = session.model_options;
    for (QWidget* widget : std::initializer_list<QWidget*>{context_, batch_, logical_batch_, cache_type_,
                                                           cache_type_v_, flash_attention_}) {
        widget->setEnabled(model);
    }
    context_->setValue(static_cast<int>(options.context));
    batch_->setValue(static_cast<int>(options.batch));
    logical_batch_->setValue(static_cast<int>(options.logical_batch));
    show_type(*cache_type_, options.cache_type);
    show_type(*cache_type_v_, options.cache_type_v);
    flash_attention_->setCurrentIndex(flash_attention_->findData(!options.flash_attention ? kFlashOff
                                                                 : options.flash_attention_if_supported
                                                                     ? kFlashAutomatic
                                                                     : kFlashOn));
    op_offload_->setChecked(session.machine.op_offload);
    parallel_->setChecked(session.machine.parallel);
    show_model_switches(options, model);
    showing_ = false;
    show_device();
}

void MachinePanel::show_device() {
    const Machine& machine = document_.session().machine;
    device_->setEnabled(!machine.backends.empty());
    if (machine.backends.empty()) return;
    showing_ = true;
    const std::size_t index = current();
    const MachineBackend& backend = machine.backends[index];
    const bool last = index + 1 == machine.backends.size();
    remove_->setEnabled(!last);
    up_->setEnabled(!last && index > 0);
    down_->setEnabled(index + 2 < machine.backends.size());
    device_->setTitle(device_label(document_.session(), BackendId(index)));
    show_for_editing(*name_, to_text(backend.name));
    const auto facts = document_.session().devices.find(backend.name);
    const DeviceFacts known = facts == document_.session().devices.end() ? DeviceFacts{} : facts->second;
    capacity_->setValue(static_cast<double>(known.memory_free) / kGibibyte);
    show_rates(known);
    device_->setToolTip(to_text(known.title));
    show_for_editing(*refused_ops_, text_of(backend));
    show_for_editing(*refused_types_, joined(backend.unsupported_types));
    const QStringList unknown = names_without_effect(backend);
    unknown_->setText(tr("Unknown, without effect: %1").arg(start_of(unknown)));
    unknown_->setVisible(!unknown.isEmpty());
    const MachineBufferType& own = machine.buffer_types[backend.buffer_type.index()];
    alignment_->setCurrentIndex(alignment_->findData(QVariant::fromValue(static_cast<int>(own.alignment))));
    largest_buffer_->setValue(own.max_size ? static_cast<double>(*own.max_size) / kGibibyte : 0);
    memory_->clear();
    for (std::size_t t = 0; t < machine.buffer_types.size(); ++t) {
        auto* item = new QListWidgetItem(to_text(machine.buffer_types[t].name));
        const BufferTypeId type(t);
        const bool reads =
            std::ranges::find(backend.supports_buffer_types, type) != backend.supports_buffer_types.end();
        item->setCheckState(reads ? Qt::Checked : Qt::Unchecked);
        // A device always reads its own memory.
        item->setFlags(type == backend.buffer_type ? Qt::NoItemFlags
                                                   : Qt::ItemIsEnabled | Qt::ItemIsUserCheckable);
        memory_->addItem(item);
    }
    offloads_->setEnabled(!last);
    offloads_->setChecked(backend.offload_min_batch.has_value());
    offload_batch_->setEnabled(backend.offload_min_batch.has_value());
    offload_batch_->setValue(static_cast<int>(backend.offload_min_batch.value_or(32)));
    async_->setChecked(backend.async);
    events_->setChecked(backend.events);
    showing_ = false;
}

}  // namespace splitscope::ui
