#include "model/wire/codes.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace groupsim {
namespace {

struct Row {
  int32_t number;
  std::string name;
};

TEST(CodesTest, RequestsHaveTheNumbersAndNamesOfTheProtocol) {
  const std::vector<Row> rows = {
      {11, "PULL_MESSAGE"},
      {14, "QUERY_CONSUMER_OFFSET"},
      {15, "UPDATE_CONSUMER_OFFSET"},
      {29, "SEARCH_OFFSET_BY_TIMESTAMP"},
      {30, "GET_MAX_OFFSET"},
      {31, "GET_MIN_OFFSET"},
      {34, "HEART_BEAT"},
      {35, "UNREGISTER_CLIENT"},
      {36, "CONSUMER_SEND_MSG_BACK"},
      {38, "GET_CONSUMER_LIST_BY_GROUP"},
      {40, "NOTIFY_CONSUMER_IDS_CHANGED"},
      {41, "LOCK_BATCH_MQ"},
      {42, "UNLOCK_BATCH_MQ"},
      {103, "REGISTER_BROKER"},
      {104, "UNREGISTER_BROKER"},
      {105, "GET_ROUTEINFO_BY_TOPIC"},
      {220, "RESET_CONSUMER_CLIENT_OFFSET"},
      {310, "SEND_MESSAGE_V2"},
      {361, "LITE_PULL_MESSAGE"},
  };
  std::vector<absl::string_view> names;
  for (const Row& row : rows) {
    EXPECT_EQ(NameOf(static_cast<RequestCode>(row.number)), row.name);
    EXPECT_EQ(static_cast<int32_t>(RequestCodeOf(row.name)), row.number);
    names.push_back(row.name);
  }
  EXPECT_EQ(RequestNames(), names);
  EXPECT_EQ(RequestCodeOf("NO_SUCH"), RequestCode::kNone);
}

TEST(CodesTest, ResponsesHaveTheNumbersAndNamesOfTheProtocol) {
  const std::vector<Row> rows = {
      {0, "SUCCESS"},
      {1, "SYSTEM_ERROR"},
      {2, "SYSTEM_BUSY"},
      {3, "REQUEST_CODE_NOT_SUPPORTED"},
      {13, "MESSAGE_ILLEGAL"},
      {14, "SERVICE_NOT_AVAILABLE"},
      {16, "NO_PERMISSION"},
      {17, "TOPIC_NOT_EXIST"},
      {19, "PULL_NOT_FOUND"},
      {20, "PULL_RETRY_IMMEDIATELY"},
      {21, "PULL_OFFSET_MOVED"},
      {22, "QUERY_NOT_FOUND"},
      {23, "SUBSCRIPTION_PARSE_FAILED"},
      {24, "SUBSCRIPTION_NOT_EXIST"},
      {25, "SUBSCRIPTION_NOT_LATEST"},
      {26, "SUBSCRIPTION_GROUP_NOT_EXIST"},
      {29, "INVALID_PARAMETER"},
      {215, "FLOW_CONTROL"},
      {1500, "GO_AWAY"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(NameOf(static_cast<ResponseCode>(row.number)), row.name);
}

TEST(CodesTest, WhatIsNotSpokenHasNoName) {
  EXPECT_EQ(NameOf(static_cast<RequestCode>(9'999)), "UNKNOWN");
  EXPECT_EQ(NameOf(static_cast<ResponseCode>(9'999)), "UNKNOWN");
}

}  // namespace
}  // namespace groupsim
