// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBoxLayout>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QWidget>
#include <optional>
#include <vector>

#include "ui/models/machine_edit.hpp"
#include "ui/panels/device_editor.hpp"
#include "ui/panels/machine_source.hpp"
#include "ui/panels/model_options_editor.hpp"
#include "ui/panels/panel.hpp"
#include "ui/panels/placement_editor.hpp"
#include "ui/panels/placement_search.hpp"
#include "ui/panels/setup_bar.hpp"

namespace splitscope::ui {

/// The machine: devices in priority order, what each supports, and the placement of the model. Each change is
/// an undoable edit of the session and reschedules immediately.
class MachinePanel : public QWidget {
    Q_OBJECT
 public:
    explicit MachinePanel(const PanelContext& context);

    /// Adds a preset by name; no effect while presets are loading.
    void add_device(const QString& preset);
    void select_device(BackendId backend);
    void remove_device();
    /// Moves the current device up (-1) or down (+1) in priority.
    void move_device(int step);
    /// Replaces the machine with the devices of this computer.
    void detect_devices();

    QListWidget& devices() { return *devices_; }
    /// The result of the device search.
    QLabel& found() { return *found_; }
    QLineEdit& refused_ops() { return device_->refused_ops(); }
    /// Unknown names in the current device's refusals.
    QLabel& unknown_names() { return device_->unknown_names(); }
    QComboBox& alignment() { return device_->alignment(); }
    /// In GiB; 0 = no limit.
    QDoubleSpinBox& largest_buffer() { return device_->largest_buffer(); }
    QCheckBox& offloads() { return device_->offloads(); }
    QSpinBox& offload_batch() { return device_->offload_batch(); }
    QListWidget& readable_memory() { return device_->readable_memory(); }
    QSpinBox& context() { return options_->context(); }
    QSpinBox& batch() { return options_->batch(); }
    QSpinBox& logical_batch() { return options_->logical_batch(); }
    QComboBox& cache_type() { return options_->cache_type(); }
    QComboBox& cache_type_v() { return options_->cache_type_v(); }
    QComboBox& flash_attention() { return options_->flash_attention(); }
    QLineEdit& device_name() { return device_->name(); }
    /// Free memory of the device in GiB; 0 = unknown.
    QDoubleSpinBox& device_memory() { return device_->capacity(); }
    /// The preset whose rates are used for the device.
    QComboBox& rates() { return device_->rates(); }
    PlacementEditor& placement() { return *placement_; }
    MachineSource& source() { return *source_; }
    SetupBar& setup() { return *setup_; }
    PlacementSearch& search() { return *search_; }
    QSpinBox& sequences() { return options_->sequences(); }
    JobChannel& add_job() { return add_job_; }
    JobChannel& detect_job() { return source_->job(); }
    JobChannel& preset_job() { return preset_job_; }
    const std::vector<PresetDevice>& presets() const { return presets_; }

 protected:
    void resizeEvent(QResizeEvent* event) override;

 private:
    QWidget* make_devices();
    void fill_presets();
    void show_session();
    void show_device();
    std::size_t current() const;

    Document& document_;
    const Theme& theme_;
    JobChannel preset_job_;
    JobChannel add_job_;
    std::vector<PresetDevice> presets_;
    MachineSource* source_;
    SetupBar* setup_;
    PlacementSearch* search_;
    QWidget* inside_;
    QMenu* add_menu_;
    QBoxLayout* groups_;
    QListWidget* devices_;
    QLabel* found_;
    QPushButton* remove_;
    QPushButton* up_;
    QPushButton* down_;
    DeviceEditor* device_;
    ModelOptionsEditor* options_;
    PlacementEditor* placement_;
    std::size_t chosen_ = 0;
    /// Those that found_ describes.
    std::optional<std::vector<MachineBackend>> found_machine_;
    bool showing_ = false;
};

}  // namespace splitscope::ui
