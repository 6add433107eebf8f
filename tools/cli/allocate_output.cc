#include "tools/cli/allocate_output.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/allocation/group_strategy.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"
#include "scenarios/laboratory/experiment.h"
#include "scenarios/laboratory/explain.h"
#include "scenarios/laboratory/survey.h"
#include "scenarios/runner/readable.h"
#include "tools/cli/csv.h"

namespace groupsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kBarWidth = 30;
constexpr size_t kShownMembers = 100;
constexpr size_t kShownTopics = 8;
constexpr size_t kQueueTextWidth = 60;

// Characters of a text, as far as a terminal is concerned.
size_t WidthOf(absl::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(),
      [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string Padded(std::string text, size_t width) {
  const size_t is = WidthOf(text);
  if (is < width) text.append(width - is, ' ');
  return text;
}

// "64 queues of 1 topic on 4 brokers, 10 consumers"
std::string GroupInWords(const GroupView& view) {
  std::vector<Name> brokers;
  for (const MessageQueue& queue : QueuesOf(view)) {
    brokers.push_back(queue.broker);
  }
  std::sort(brokers.begin(), brokers.end());
  brokers.erase(std::unique(brokers.begin(), brokers.end()), brokers.end());
  return absl::StrCat(
      ReadablePlural(static_cast<int64_t>(QueueCount(view)), "queue"), " of ",
      ReadablePlural(static_cast<int64_t>(view.topics.size()), "topic"), " on ",
      ReadablePlural(static_cast<int64_t>(brokers.size()), "broker"), ", ",
      ReadablePlural(static_cast<int64_t>(view.members.size()), "consumer"));
}

// Queues of each topic, "3 3 3 3", where there are a few.
std::string PerTopic(const GroupView& view,
                     const std::vector<QueuePosition>& share) {
  std::vector<int64_t> counts;
  size_t end = 0;
  size_t begin = 0;
  for (const GroupTopic& topic : view.topics) {
    begin = end;
    end += topic.queues->size();
    counts.push_back(std::count_if(
        share.begin(), share.end(),
        [&](QueuePosition queue) { return queue >= begin && queue < end; }));
  }
  return absl::StrJoin(counts, " ");
}

std::string Number(const std::optional<double>& value) {
  return value.has_value() ? absl::StrFormat("%.2f", *value) : "-";
}

// Members in the order of their ids.
std::vector<size_t> ById(const GroupView& view) {
  std::vector<size_t> order(view.members.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return view.members[a].id < view.members[b].id;
  });
  return order;
}

// How the member at a position is called.
const std::string& NameOf(const Allocation& allocation, size_t member) {
  const Experiment& experiment = *allocation.experiment;
  return experiment.NameOf(experiment.group.members[member].id);
}

std::string Bars(const Allocation& allocation) {
  const GroupView& view = allocation.experiment->group;
  const Balance& balance = allocation.outcome.balance;
  const bool topics =
      view.topics.size() > 1 && view.topics.size() <= kShownTopics;
  size_t id_width = 8;
  size_t topic_width = 0;
  const std::vector<size_t> order = ById(view);
  for (const size_t i : order) {
    id_width = std::max(id_width, WidthOf(NameOf(allocation, i)));
    if (!topics) continue;
    topic_width = std::max(
        topic_width,
        PerTopic(view, allocation.outcome.assignment.shares[i]).size());
  }
  const auto longest =
      static_cast<size_t>(std::max<int64_t>(balance.queues.max, 1));
  const size_t bar_width = std::min(kBarWidth, longest);
  std::string text =
      absl::StrCat("  ", Padded("consumer", id_width), "  queues\n");
  for (size_t row = 0; row < std::min(order.size(), kShownMembers); ++row) {
    const size_t i = order[row];
    const auto& share = allocation.outcome.assignment.shares[i];
    const size_t bar =
        (share.size() * bar_width + longest - 1) / longest;  // At least one.
    std::string line =
        absl::StrCat("  ", Padded(NameOf(allocation, i), id_width), "  ",
                     absl::StrFormat("%6d", share.size()), "  ",
                     Padded(std::string(bar, '#'), bar_width));
    if (topics) {
      absl::StrAppend(&line, "  ", Padded(PerTopic(view, share), topic_width));
    }
    absl::StrAppend(&line, "  ", QueuesInWords(view, share, kQueueTextWidth));
    line.erase(line.find_last_not_of(' ') + 1);
    absl::StrAppend(&text, line, "\n");
  }
  if (order.size() > kShownMembers) {
    absl::StrAppend(
        &text, "  and ",
        ReadableCount(static_cast<int64_t>(order.size() - kShownMembers)),
        " more; --format=json shows all\n");
  }
  return text;
}

std::string Percent(double part) {
  return absl::StrFormat("%.1f %%", 100 * part);
}

std::string ChurnLine(absl::string_view label, const Churn& churn) {
  std::string text = absl::StrCat("  ", Padded(std::string(label), 17),
                                  "moved ", ReadableCount(churn.moved));
  if (churn.changes == 1) {
    absl::StrAppend(&text, " of ", ReadablePlural(churn.queues, "queue"), " (",
                    Percent(churn.MovedPerQueue()), ")   even needs ",
                    ReadableCount(churn.necessary));
  } else {
    absl::StrAppendFormat(&text,
                          " in %s, %.2f per queue   even needs %s, %.2f per "
                          "queue",
                          ReadablePlural(churn.changes, "change"),
                          churn.MovedPerQueue(), ReadableCount(churn.necessary),
                          churn.NecessaryPerQueue());
  }
  if (churn.rounds > 1) {
    absl::StrAppend(&text, "   in ", churn.rounds, " rounds, ",
                    ReadableCount(churn.waiting), " without owner in between");
  }
  return text + "\n";
}

std::string Measures(const Allocation& allocation) {
  const Balance& balance = allocation.outcome.balance;
  const Fairness& queues = balance.queues;
  std::string text = absl::StrFormat(
      "  %-17sJain %.3f   max/mean %s   max-min %d   Gini %.3f   idle %s\n",
      "balance", queues.Jain(), Number(queues.MaxOverMean()),
      queues.max - queues.min, balance.gini, ReadableCount(queues.idle));
  if (balance.unowned != 0) {
    absl::StrAppendFormat(&text, "  %-17s%s\n", "without owner",
                          ReadablePlural(balance.unowned, "queue"));
  }
  if (balance.weighted_jain.has_value()) {
    absl::StrAppendFormat(&text, "  %-17sJain %.3f\n", "by weight",
                          *balance.weighted_jain);
  }
  if (balance.loads.has_value()) {
    absl::StrAppendFormat(&text, "  %-17sJain %.3f   max/mean %s\n", "by lag",
                          balance.loads->Jain(),
                          Number(balance.loads->MaxOverMean()));
  }
  if (balance.cross_room.has_value()) {
    absl::StrAppendFormat(&text, "  %-17s%s of the queues\n", "cross-room",
                          Percent(*balance.cross_room));
  }
  const Experiment& experiment = *allocation.experiment;
  const Outcome& outcome = allocation.outcome;
  if (outcome.join.has_value()) {
    absl::StrAppend(&text,
                    ChurnLine(absl::StrCat("join ", experiment.joiners.size()),
                              *outcome.join));
  }
  if (outcome.leave.has_value()) {
    const std::string who = experiment.leavers.size() == 1
                                ? experiment.NameOf(experiment.leavers[0])
                                : absl::StrCat(experiment.leavers.size());
    absl::StrAppend(&text, ChurnLine(absl::StrCat("leave ", who,
                                                  WidthOf(who) > 9 ? "  " : ""),
                                     *outcome.leave));
  }
  if (outcome.restart.has_value()) {
    absl::StrAppend(&text, ChurnLine("rolling restart", *outcome.restart));
  }
  return text;
}

Json ToJson(const std::optional<double>& value) {
  return value.has_value() ? Json(*value) : Json();
}

Json ToJson(const Churn& churn) {
  Json json;
  json["changes"] = churn.changes;
  json["moved"] = churn.moved;
  json["necessary"] = churn.necessary;
  json["moved_per_queue"] = churn.MovedPerQueue();
  json["rounds"] = churn.rounds;
  json["without_owner_in_between"] = churn.waiting;
  return json;
}

Json ToJson(const Balance& balance) {
  Json json;
  json["jain"] = balance.queues.Jain();
  json["max_over_mean"] = ToJson(balance.queues.MaxOverMean());
  json["max_minus_min"] = balance.queues.max - balance.queues.min;
  json["variation_coefficient"] = ToJson(balance.queues.VariationCoefficient());
  json["gini"] = balance.gini;
  json["balance_score"] = balance.score;
  json["idle_consumers"] = balance.queues.idle;
  json["unowned_queues"] = balance.unowned;
  if (balance.weighted_jain.has_value()) {
    json["weighted_jain"] = *balance.weighted_jain;
  }
  if (balance.loads.has_value()) {
    json["lag_jain"] = balance.loads->Jain();
    json["lag_max_over_mean"] = ToJson(balance.loads->MaxOverMean());
  }
  if (balance.cross_room.has_value()) {
    json["cross_room_share"] = *balance.cross_room;
  }
  return json;
}

Json ToJson(const Spread& spread) {
  return Json{{"mean", spread.mean}, {"min", spread.min}, {"max", spread.max}};
}

Json ToJson(const ChurnSurvey& churn) {
  Json json;
  json["moved_per_queue"] = ToJson(churn.moved);
  json["necessary_per_queue"] = ToJson(churn.necessary);
  json["rounds"] = churn.rounds;
  return json;
}

Json ToJson(const Survey& survey) {
  Json json;
  json["jain"] = ToJson(survey.jain);
  json["max_over_mean"] = ToJson(survey.max_over_mean);
  json["max_minus_min"] = ToJson(survey.max_minus_min);
  json["gini"] = ToJson(survey.gini);
  json["idle_consumers"] = ToJson(survey.idle);
  json["unowned_queues"] = survey.unowned;
  const auto add = [&](const char* name, const auto& part) {
    if (part.has_value()) json[name] = ToJson(*part);
  };
  add("weighted_jain", survey.weighted_jain);
  add("lag_jain", survey.load_jain);
  add("cross_room_share", survey.cross_room);
  add("join", survey.join);
  add("leave", survey.leave);
  add("rolling_restart", survey.restart);
  return json;
}

// A column of the survey: its heading in the text and in CSV, and its cells.
struct Column {
  std::string heading;
  std::string name;
  std::string (*text)(const Survey&);
  std::string (*csv)(const Survey&);
};

std::string MovedText(const std::optional<ChurnSurvey>& churn) {
  return churn.has_value() ? Percent(churn->moved.mean) : "-";
}

std::string MovedCsv(const std::optional<ChurnSurvey>& churn) {
  return churn.has_value() ? CsvField(churn->moved.mean) : "";
}

std::vector<Column> ColumnsOf(const AllocateInput* input) {
  std::vector<Column> columns = {
      {"Jain", "jain",
       [](const Survey& s) { return absl::StrFormat("%.3f", s.jain.mean); },
       [](const Survey& s) { return CsvField(s.jain.mean); }},
      {"max/mean", "max_over_mean",
       [](const Survey& s) {
         return absl::StrFormat("%.2f", s.max_over_mean.mean);
       },
       [](const Survey& s) { return CsvField(s.max_over_mean.mean); }},
      {"max-min", "max_minus_min",
       [](const Survey& s) {
         return absl::StrFormat("%.1f", s.max_minus_min.mean);
       },
       [](const Survey& s) { return CsvField(s.max_minus_min.mean); }},
      {"Gini", "gini",
       [](const Survey& s) { return absl::StrFormat("%.3f", s.gini.mean); },
       [](const Survey& s) { return CsvField(s.gini.mean); }},
      {"idle", "idle_consumers",
       [](const Survey& s) { return absl::StrFormat("%.1f", s.idle.mean); },
       [](const Survey& s) { return CsvField(s.idle.mean); }},
  };
  const bool all = input == nullptr;
  if (all || input->has_weights) {
    columns.push_back(
        {"by weight", "weighted_jain",
         [](const Survey& s) {
           return s.weighted_jain.has_value()
                      ? absl::StrFormat("%.3f", s.weighted_jain->mean)
                      : "-";
         },
         [](const Survey& s) {
           return s.weighted_jain.has_value() ? CsvField(s.weighted_jain->mean)
                                              : "";
         }});
  }
  if (all || input->has_loads) {
    columns.push_back({"by lag", "lag_jain",
                       [](const Survey& s) {
                         return s.load_jain.has_value()
                                    ? absl::StrFormat("%.3f", s.load_jain->mean)
                                    : "-";
                       },
                       [](const Survey& s) {
                         return s.load_jain.has_value()
                                    ? CsvField(s.load_jain->mean)
                                    : "";
                       }});
  }
  if (all || input->has_rooms) {
    columns.push_back(
        {"cross-room", "cross_room_share",
         [](const Survey& s) {
           return s.cross_room.has_value() ? Percent(s.cross_room->mean) : "-";
         },
         [](const Survey& s) {
           return s.cross_room.has_value() ? CsvField(s.cross_room->mean) : "";
         }});
  }
  if (all || !input->plan.joiners.empty()) {
    columns.push_back({"join", "join_moved_per_queue",
                       [](const Survey& s) { return MovedText(s.join); },
                       [](const Survey& s) { return MovedCsv(s.join); }});
  }
  if (all || !input->plan.leavers.empty() || input->plan.anyone_leaves) {
    columns.push_back({"leave", "leave_moved_per_queue",
                       [](const Survey& s) { return MovedText(s.leave); },
                       [](const Survey& s) { return MovedCsv(s.leave); }});
  }
  if (all || input->plan.restarts) {
    columns.push_back({"restart", "restart_moved_per_queue",
                       [](const Survey& s) {
                         return s.restart.has_value()
                                    ? absl::StrFormat("%.2f",
                                                      s.restart->moved.mean)
                                    : "-";
                       },
                       [](const Survey& s) { return MovedCsv(s.restart); }});
  }
  return columns;
}

std::string Legend(const AllocateInput& input) {
  std::vector<std::string> parts;
  if (!input.plan.joiners.empty()) {
    parts.push_back(absl::StrCat(
        "join: queues that change owner when ",
        input.plan.joiners.size() == 1
            ? "one more comes"
            : absl::StrCat(input.plan.joiners.size(), " more come")));
  }
  if (!input.plan.leavers.empty() || input.plan.anyone_leaves) {
    parts.push_back(
        absl::StrCat("leave: the same when ",
                     input.plan.leavers.size() > 1
                         ? absl::StrCat(input.plan.leavers.size(), " go")
                         : "one goes"));
  }
  if (input.plan.restarts) {
    parts.push_back("restart: moves per queue while all restart in turn");
  }
  return absl::StrJoin(parts, "; ");
}

}  // namespace

std::string QueuesInWords(const GroupView& view,
                          absl::Span<const QueuePosition> share, size_t width) {
  const std::vector<MessageQueue> all = QueuesOf(view);
  std::vector<MessageQueue> queues;
  for (const QueuePosition queue : share) queues.push_back(all[queue]);
  std::string text;
  for (size_t i = 0; i < queues.size();) {
    size_t end = i + 1;
    while (end < queues.size() && queues[end].topic == queues[i].topic) ++end;
    const std::string part =
        QueuesInShort(absl::MakeConstSpan(queues).subspan(i, end - i));
    absl::StrAppend(&text, text.empty() ? "" : "  ",
                    view.topics.size() > 1
                        ? absl::StrCat(queues[i].topic.text(), ": ")
                        : "",
                    part);
    i = end;
  }
  if (width == 0 || WidthOf(text) <= width) return text;
  size_t cut = text.rfind(' ', width);
  if (cut == std::string::npos) cut = text.find(' ', width);
  return cut == std::string::npos ? text
                                  : absl::StrCat(text.substr(0, cut), " ...");
}

std::string AllocationText(const Allocation& allocation) {
  return absl::StrCat(allocation.strategy->name, "   ",
                      GroupInWords(allocation.experiment->group), "\n\n",
                      Bars(allocation), "\n", Measures(allocation));
}

std::string AllocationJson(const Allocation& allocation) {
  const GroupView& view = allocation.experiment->group;
  const std::vector<MessageQueue> queues = QueuesOf(view);
  Json json;
  json["schema_version"] = 1;
  json["strategy"] = allocation.strategy->name;
  json["queues"] = queues.size();
  json["consumers"] = view.members.size();
  json["balance"] = ToJson(allocation.outcome.balance);
  const auto add = [&](const char* name, const std::optional<Churn>& churn) {
    if (churn.has_value()) json[name] = ToJson(*churn);
  };
  add("join", allocation.outcome.join);
  add("leave", allocation.outcome.leave);
  add("rolling_restart", allocation.outcome.restart);
  json["shares"] = Json::array();
  for (const size_t i : ById(view)) {
    Json share;
    share["consumer"] = NameOf(allocation, i);
    share["client_id"] = view.members[i].id.text();
    if (!view.members[i].room.empty()) {
      share["room"] = view.members[i].room.text();
    }
    share["queues"] = Json::array();
    for (const QueuePosition position :
         allocation.outcome.assignment.shares[i]) {
      const MessageQueue& queue = queues[position];
      share["queues"].push_back({{"topic", queue.topic.text()},
                                 {"broker", queue.broker.text()},
                                 {"queue_id", queue.queue_id}});
    }
    json["shares"].push_back(std::move(share));
  }
  return json.dump(2) + "\n";
}

std::string AllocationCsv(const Allocation& allocation) {
  const GroupView& view = allocation.experiment->group;
  const std::vector<MessageQueue> queues = QueuesOf(view);
  std::string text = "consumer,topic,broker,queue_id\n";
  for (const size_t i : ById(view)) {
    for (const QueuePosition position :
         allocation.outcome.assignment.shares[i]) {
      const MessageQueue& queue = queues[position];
      absl::StrAppend(&text, CsvField(NameOf(allocation, i)), ",",
                      CsvField(queue.topic.text()), ",",
                      CsvField(queue.broker.text()), ",", queue.queue_id, "\n");
    }
  }
  return text;
}

std::string SurveyText(const AllocateInput& input,
                       absl::Span<const SurveyRow> rows) {
  const std::vector<Column> columns = ColumnsOf(&input);
  size_t name_width = 8;
  for (const SurveyRow& row : rows) {
    if (!row.survey.has_value()) continue;
    name_width = std::max(name_width, row.strategy->name.size());
  }
  int64_t queues = 0;
  for (const TopicPlan& topic : input.plan.topics) {
    queues += static_cast<int64_t>(topic.queues.size());
  }
  std::string text = absl::StrCat(
      ReadablePlural(queues, "queue"), ", ",
      ReadablePlural(static_cast<int64_t>(input.plan.members.size()),
                     "consumer"),
      input.plan.draw_ids
          ? absl::StrCat(
                "; means over ",
                ReadablePlural(static_cast<int64_t>(input.trials), "group"),
                " with drawn client ids")
          : "",
      "\n\n  ", Padded("strategy", name_width));
  for (const Column& column : columns) {
    absl::StrAppendFormat(
        &text, "  %*s",
        std::max<int>(8, static_cast<int>(column.heading.size())),
        column.heading);
  }
  text += "\n";
  std::string left_out;
  for (const SurveyRow& row : rows) {
    if (!row.survey.has_value()) {
      absl::StrAppend(&left_out, "  ",
                      Padded(std::string(row.strategy->name), name_width), "  ",
                      row.why_not, "\n");
      continue;
    }
    absl::StrAppend(&text, "  ",
                    Padded(std::string(row.strategy->name), name_width));
    for (const Column& column : columns) {
      absl::StrAppendFormat(
          &text, "  %*s",
          std::max<int>(8, static_cast<int>(column.heading.size())),
          column.text(*row.survey));
    }
    if (row.survey->unowned != 0) {
      absl::StrAppend(&text, "  up to ", ReadableCount(row.survey->unowned),
                      " without owner");
    }
    text += "\n";
  }
  if (const std::string legend = Legend(input); !legend.empty()) {
    absl::StrAppend(&text, "\n  ", legend, "\n");
  }
  if (!left_out.empty()) {
    absl::StrAppend(&text, "\n  not run:\n", left_out);
  }
  return text;
}

std::string SurveyJson(const AllocateInput& input,
                       absl::Span<const SurveyRow> rows) {
  Json json;
  json["schema_version"] = 1;
  int64_t queues = 0;
  for (const TopicPlan& topic : input.plan.topics) {
    queues += static_cast<int64_t>(topic.queues.size());
  }
  json["queues"] = queues;
  json["consumers"] = input.plan.members.size();
  json["trials"] = input.trials;
  json["seed"] = input.seed;
  json["strategies"] = Json::array();
  json["not_run"] = Json::array();
  for (const SurveyRow& row : rows) {
    Json item;
    item["strategy"] = row.strategy->name;
    if (row.survey.has_value()) {
      item.update(ToJson(*row.survey));
      json["strategies"].push_back(std::move(item));
    } else {
      item["reason"] = row.why_not;
      json["not_run"].push_back(std::move(item));
    }
  }
  return json.dump(2) + "\n";
}

std::string SurveyCsv(absl::Span<const SurveyRow> rows) {
  const std::vector<Column> columns = ColumnsOf(nullptr);
  std::string text = "strategy";
  for (const Column& column : columns) absl::StrAppend(&text, ",", column.name);
  text += "\n";
  for (const SurveyRow& row : rows) {
    if (!row.survey.has_value()) continue;
    absl::StrAppend(&text, row.strategy->name);
    for (const Column& column : columns) {
      absl::StrAppend(&text, ",", column.csv(*row.survey));
    }
    text += "\n";
  }
  return text;
}

}  // namespace groupsim
