// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <vector>

#include "ui/document/document.hpp"
#include "ui/jobs/job_channel.hpp"

namespace splitscope::ui {

/// Keeps unsaved changes of the session in a file of this instance's own, so that a crash does not take
/// them. The file goes when the changes are saved, undone or given up, and when the program ends in order.
class Autosave : public QObject {
    Q_OBJECT
 public:
    /// What an instance that is gone left behind.
    struct Found {
        QString file;
        QString title;  ///< of the model or graph
        QDateTime when;
    };

    /// `folder` is made when it is needed, for its owner alone: what is kept tells of the user's files. The
    /// document must outlive the object.
    Autosave(Document& document, QString folder, QObject* parent = nullptr);
    ~Autosave() override;

    /// Newest first. Damaged files are renamed to "….damaged" and named by damaged(). Files of instances that
    /// still run are left alone.
    std::vector<Found> left_behind();
    const QStringList& damaged() const { return damaged_; }
    static void discard(const QString& file);

    void set_enabled(bool enabled);
    /// Now rather than a moment after the last change.
    void write_now();
    /// Deletes this instance's file: the changes are given up.
    void forget();
    const QString& file() const { return file_; }
    JobChannel& job() { return job_; }

 signals:
    /// The changes are in this instance's file.
    void kept();
    /// There is nowhere to keep changes; said once, until there is.
    void not_kept(const QString& why);

 private:
    void changed();
    /// Makes the folder, and the lock by which other instances see that this one runs.
    bool claim_file();

    Document& document_;
    QString folder_;
    QString file_;
    std::unique_ptr<QLockFile> lock_;
    bool refusal_told_ = false;
    QStringList damaged_;
    QTimer timer_;
    bool enabled_ = true;
    JobChannel job_;
};

}  // namespace splitscope::ui
