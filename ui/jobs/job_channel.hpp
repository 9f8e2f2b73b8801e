// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>

#include "engine/support/job.hpp"

namespace splitscope::ui {

/// A failure, for the user.
struct JobFailure {
    QString text;    ///< one line: where, what, remedy
    QString remedy;  ///< may be empty
    ErrorKind kind = ErrorKind::unknown;
};

/// Describes the current exception. Call in a catch block.
JobFailure current_failure();

/// Background work of one kind; the latest job wins: starting a job supersedes the running one, whose result
/// is discarded. Call on the owning thread; results are delivered there. The destructor stops jobs and waits
/// for them: 100 ms (see JobContext), longer while drivers are loading.
class JobChannel : public QObject {
    Q_OBJECT
 public:
    explicit JobChannel(QString title, QObject* parent = nullptr);
    ~JobChannel() override;

    /// Runs `work(const JobContext&)` on a worker and calls `done(result)` on this thread unless superseded.
    template <class Work, class Done>
    void start(Work work, Done done) {
        launch([work = std::move(work), done = std::move(done)](const JobContext& job) mutable {
            using Result = std::invoke_result_t<Work&, const JobContext&>;
            auto result = std::make_shared<Result>(work(job));
            return std::function<void()>([done, result]() mutable { done(std::move(*result)); });
        });
    }

    /// Stops the running job and discards its result.
    void cancel();
    /// Requests the running job to end early; its result is delivered.
    void stop();
    bool running() const { return running_; }
    const QString& title() const { return title_; }

 signals:
    void started();
    /// `fraction` in [0, 1], negative if unknown; at most every 50 ms.
    void progress(double fraction, const QString& doing);
    /// Emitted after done(), failed() or cancelled(), when nothing is running.
    void ended();
    void failed(const splitscope::ui::JobFailure& failure);
    void cancelled();

 private:
    using Body = std::function<std::function<void()>(const JobContext&)>;
    struct Outcome {
        std::function<void()> deliver;
        JobFailure failure;
        bool was_cancelled = false;
    };

    void launch(Body body);
    /// The result of `work`, or its failure.
    static Outcome outcome_of(const std::function<std::function<void()>()>& work);
    void settle(std::uint64_t number, const Outcome& outcome);
    JobContext context_for(std::uint64_t number, std::stop_token stop);

    QString title_;
    std::uint64_t latest_ = 0;
    bool running_ = false;
    struct Worker {
        std::uint64_t number;
        /// Requested by stop(), not by the next job: it may end processes that other jobs use.
        std::stop_source by_user;
        std::jthread thread;
    };
    std::list<Worker> workers_;
};

}  // namespace splitscope::ui
