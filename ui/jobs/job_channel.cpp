// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/job_channel.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <system_error>

#include "engine/support/error.hpp"
#include "engine/support/stop_scope.hpp"
#include "ui/models/error_text.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/messages.hpp"

namespace splitscope::ui {
namespace {

constexpr std::chrono::milliseconds kProgressInterval{50};

JobFailure failure_of(const Error& error) {
    return {error_text(error), remedy_text(error), error.kind()};
}

}  // namespace

JobFailure current_failure() {
    try {
        throw;
    } catch (const Error& error) {
        return failure_of(error);
    } catch (const std::bad_alloc&) {
        return {JobChannel::tr("Not enough memory"),
                JobChannel::tr("close other programs or open a smaller file"), ErrorKind::memory};
    } catch (const std::exception& error) {
        return {QString::fromUtf8(error.what()), {}, ErrorKind::unknown};
    } catch (...) {
        return {JobChannel::tr("Failed for an unknown reason"), {}, ErrorKind::unknown};
    }
}

JobChannel::JobChannel(QString title, QObject* parent) : QObject(parent), title_(std::move(title)) {}

JobChannel::~JobChannel() {
    stop();
    workers_.clear();  // joins
}

void JobChannel::launch(Body body) {
    for (Worker& worker : workers_) worker.thread.request_stop();
    const std::uint64_t number = ++latest_;
    running_ = true;
    emit started();
    const auto answer = [this, number](const Outcome& outcome) {
        QMetaObject::invokeMethod(
            this, [this, number, outcome] { settle(number, outcome); }, Qt::QueuedConnection);
    };
    const std::stop_source by_user;
    auto run = [this, number, answer, by_user, work = std::move(body)](std::stop_token stop) {
        const StopScope scope(by_user.get_token());
        answer(outcome_of([&] { return work(context_for(number, std::move(stop))); }));
    };
    try {
        workers_.push_back({number, by_user, std::jthread(std::move(run))});
    } catch (const std::system_error&) {
        Outcome refused;
        refused.failure =
            failure_of(Error(ErrorKind::limit, msg::kCannotStartThread, {}, msg::kClosePrograms));
        answer(refused);
    }
}

JobChannel::Outcome JobChannel::outcome_of(const std::function<std::function<void()>()>& work) {
    Outcome outcome;
    try {
        outcome.deliver = work();
    } catch (const Cancelled&) {
        outcome.was_cancelled = true;
    } catch (...) {
        outcome.failure = current_failure();
    }
    return outcome;
}

JobContext JobChannel::context_for(std::uint64_t number, std::stop_token stop) {
    auto last = std::make_shared<std::chrono::steady_clock::time_point>();
    return JobContext(std::move(stop), [this, number, last](double fraction, const Message& doing) {
        const auto now = std::chrono::steady_clock::now();
        if (now - *last < kProgressInterval) return;
        *last = now;
        QMetaObject::invokeMethod(
            this,
            [this, number, fraction, text = message_text(doing)] {
                if (number == latest_ && running_) emit progress(fraction, text);
            },
            Qt::QueuedConnection);
    });
}

void JobChannel::settle(std::uint64_t number, const Outcome& outcome) {
    std::erase_if(workers_, [number](const Worker& worker) { return worker.number == number; });
    if (number != latest_ || !running_) return;
    running_ = false;
    if (outcome.was_cancelled) {
        emit cancelled();
    } else if (outcome.deliver) {
        try {
            outcome.deliver();
        } catch (...) {
            emit failed(current_failure());
        }
    } else {
        emit failed(outcome.failure);
    }
    if (!running_) emit ended();  // done() may have started the next job
}

void JobChannel::cancel() {
    if (!running_) return;
    for (Worker& worker : workers_) worker.thread.request_stop();
    running_ = false;
    emit cancelled();
    emit ended();
}

void JobChannel::stop() {
    for (Worker& worker : workers_) {
        worker.by_user.request_stop();
        worker.thread.request_stop();
    }
}

}  // namespace splitscope::ui
