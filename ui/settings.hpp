// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QStringList>
#include <memory>
#include <optional>

#include "engine/support/generation.hpp"
#include "ui/document/fresh_start.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// What is open when the program starts without a file.
enum class StartWith { sample, last_file, nothing };

/// Of the windows; file formats and logs are the same in all.
enum class Language { system, english, chinese };

/// How graphs are drawn.
struct CanvasOptions {
    bool graphviz = true;       ///< else our own quick layout stays
    int graphviz_seconds = 20;  ///< for one graph
    bool minimap = true;
    friend bool operator==(const CanvasOptions&, const CanvasOptions&) = default;
};

/// What the program remembers of its user: recent files, theme, layout of the window. Values that cannot be
/// read are as if they were absent; a damaged file is set aside. Several instances share one file: lists are
/// read again before they are changed.
class Settings {
 public:
    /// An empty path: the user's own settings; a file: that one (tests).
    explicit Settings(const QString& file = {});

    /// Where the damaged file was moved that was found at the start; empty when all was well.
    const QString& set_aside() const { return set_aside_; }
    /// The file, when it cannot be written; else empty.
    QString unwritable() const { return store_->isWritable() ? QString() : store_->fileName(); }
    /// For files of the program's own, such as unsaved changes.
    QString data_folder() const;

    QStringList recent_files() const;
    void add_recent_file(const QString& path);
    void clear_recent_files();

    ThemeMode theme() const;
    void set_theme(ThemeMode mode);
    Language language() const;
    void set_language(Language language);
    /// What fresh sessions are scheduled with; none: the engine's choice.
    std::optional<Generation> generation() const;
    void set_generation(std::optional<Generation> generation);
    /// Whose switches models are opened with.
    Program program() const;
    void set_program(Program program);
    /// The machine that models are opened with; none: the simulated one.
    std::optional<KnownMachine> machine() const;
    void set_machine(const std::optional<KnownMachine>& machine);
    StartWith start_with() const;
    void set_start_with(StartWith start);
    CanvasOptions canvas() const;
    void set_canvas(const CanvasOptions& options);
    /// Ask before changes of a saved session or notes are lost.
    bool ask_before_losing() const;
    void set_ask_before_losing(bool ask);
    bool autosave() const;
    void set_autosave(bool on);
    bool tour_done() const;
    void set_tour_done(bool done);

    QByteArray window_geometry() const;
    QByteArray window_state() const;
    void set_window(const QByteArray& geometry, const QByteArray& state);

    QString last_folder() const;
    void set_last_folder(const QString& folder);

    /// What the last report was written as; "html" at first.
    QString report_format() const;
    /// Names of the sections it left out.
    QStringList report_hidden_sections() const;
    void set_report(const QString& format, const QStringList& hidden_sections);

 private:
    void open(const QString& file);

    QString file_;
    QString set_aside_;
    std::unique_ptr<QSettings> store_;
};

}  // namespace splitscope::ui
