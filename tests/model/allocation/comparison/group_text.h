// Groups and assignments written as texts, to be read in tests.
//
//   GroupText group;
//   group.Topics("t0:3 t1:3").Members("c0 c1{t1}").Owned("c0: t0-0 t0-1");
//   group.Assign(Range());  // "c0: t0-0 t0-1 t0-2; c1: t1-0 t1-1 t1-2"
//
// Queue "t0-2" is the one numbered 2 of topic t0, on broker "b".
#ifndef GROUPSIM_TESTS_MODEL_ALLOCATION_COMPARISON_GROUP_TEXT_H_
#define GROUPSIM_TESTS_MODEL_ALLOCATION_COMPARISON_GROUP_TEXT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "model/allocation/group_strategy.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/wire/message_queue.h"

namespace groupsim {

class GroupText {
 public:
  GroupView& view() { return view_; }
  const GroupView& view() const { return view_; }
  Name Intern(absl::string_view text) { return names_.Intern(text); }

  // "t0:3 t1:1": topics and how many queues each has.
  GroupText& Topics(absl::string_view text) {
    for (const absl::string_view word : Words(text)) {
      const std::vector<absl::string_view> parts = absl::StrSplit(word, ':');
      AddTopic(parts.at(0), static_cast<size_t>(Number(parts.at(1))));
    }
    return *this;
  }

  void AddTopic(absl::string_view name, size_t count) {
    const Name topic = Intern(name);
    std::vector<MessageQueue> queues;
    for (size_t i = 0; i < count; ++i) {
      queues.push_back({.topic = topic,
                        .broker = Intern("b"),
                        .queue_id = static_cast<int32_t>(i)});
    }
    GroupTopic& added = view_.topics.emplace_back();
    added.name = topic;
    added.queues =
        std::make_shared<const std::vector<MessageQueue>>(std::move(queues));
  }

  // "a b{t0,t1}": members and what they subscribe to; all topics if nothing is
  // said.
  GroupText& Members(absl::string_view text) {
    for (const absl::string_view word : Words(text)) {
      GroupMember& member = view_.members.emplace_back();
      const size_t brace = word.find('{');
      member.id = Intern(word.substr(0, brace));
      if (brace == absl::string_view::npos) continue;
      std::vector<Name> topics;
      for (const absl::string_view topic :
           absl::StrSplit(word.substr(brace + 1, word.size() - brace - 2), ',',
                          absl::SkipEmpty())) {
        topics.push_back(Intern(topic));
      }
      member.subscription =
          std::make_shared<const std::vector<Name>>(std::move(topics));
    }
    return *this;
  }

  // "a: t0-0 t0-1; b: -": what members own, of one generation.
  GroupText& Owned(absl::string_view text, int64_t generation = 1) {
    for (const absl::string_view part :
         absl::StrSplit(text, "; ", absl::SkipEmpty())) {
      const std::vector<absl::string_view> words = Words(part);
      GroupMember& member = Member(words.at(0).substr(0, words[0].size() - 1));
      std::vector<MessageQueue> queues;
      for (size_t i = 1; i < words.size(); ++i) {
        if (words[i] != "-") queues.push_back(Queue(words[i]));
      }
      member.owned = PositionsOf(queues, view_);
      CHECK_EQ(member.owned.size(), queues.size());
      member.generation = generation;
    }
    return *this;
  }

  GroupMember& Member(absl::string_view id) {
    for (GroupMember& member : view_.members) {
      if (member.id.text() == id) return member;
    }
    CHECK(false) << "no member " << id;
    return view_.members.front();
  }

  GroupTopic& Topic(absl::string_view name) {
    for (GroupTopic& topic : view_.topics) {
      if (topic.name.text() == name) return topic;
    }
    CHECK(false) << "no topic " << name;
    return view_.topics.front();
  }

  GroupText& Leave(absl::string_view id) {
    const Name name = Intern(id);
    view_.members.erase(
        std::remove_if(view_.members.begin(), view_.members.end(),
                       [name](const GroupMember& m) { return m.id == name; }),
        view_.members.end());
    return *this;
  }

  // "a: t0-0 t0-1; b: -": members and queues in the order of the assignment;
  // or the error.
  std::string Text(const absl::StatusOr<GroupAssignment>& assignment) const {
    if (!assignment.ok()) {
      return absl::StrCat("error: ", assignment.status().message());
    }
    const std::vector<MessageQueue> queues = QueuesOf(view_);
    std::vector<std::string> members;
    for (size_t i = 0; i < assignment->shares.size(); ++i) {
      std::string text = absl::StrCat(view_.members[i].id.text(), ":");
      for (const QueuePosition queue : assignment->shares[i]) {
        absl::StrAppend(&text, " ", queues[queue].topic.text(), "-",
                        queues[queue].queue_id);
      }
      if (assignment->shares[i].empty()) absl::StrAppend(&text, " -");
      members.push_back(std::move(text));
    }
    return absl::StrJoin(members, "; ");
  }

  std::string Assign(const GroupStrategy& strategy) const {
    return Text(strategy.Assign(view_));
  }

  // Assigns, and lets the members own the result.
  std::string Run(const GroupStrategy& strategy) {
    const absl::StatusOr<GroupAssignment> assignment = strategy.Assign(view_);
    if (assignment.ok()) SetOwned(*assignment, ++generation_, &view_);
    return Text(assignment);
  }

 private:
  static std::vector<absl::string_view> Words(absl::string_view text) {
    return absl::StrSplit(text, ' ', absl::SkipEmpty());
  }

  static int64_t Number(absl::string_view text) {
    int64_t number = 0;
    CHECK(absl::SimpleAtoi(text, &number)) << text;
    return number;
  }

  MessageQueue Queue(absl::string_view text) {
    const size_t dash = text.rfind('-');
    CHECK(dash != absl::string_view::npos) << text;
    return {.topic = Intern(text.substr(0, dash)),
            .broker = Intern("b"),
            .queue_id = static_cast<int32_t>(Number(text.substr(dash + 1)))};
  }

  NameTable names_;
  GroupView view_;
  int64_t generation_ = 1;
};

// The sizes of shares, in their order.
inline std::vector<size_t> SizesOf(const GroupAssignment& assignment) {
  std::vector<size_t> sizes;
  for (const auto& share : assignment.shares) sizes.push_back(share.size());
  return sizes;
}

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_MODEL_ALLOCATION_COMPARISON_GROUP_TEXT_H_
