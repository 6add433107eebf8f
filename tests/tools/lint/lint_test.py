"""Every rule of lint catches a bad sample and accepts a good one."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, "tools/lint")

# pylint: disable=wrong-import-position
from lint import command, formatting
from lint.source import Source

# A path to samples of model code.
MODEL = "model/client/sample.cc"


def findings(text, path=MODEL):
    """The rules that the text breaks as a file at this path, with lines."""
    return [(finding.rule, finding.line)
            for finding in command.check_sources([Source(path, text)])]


class LintTest(unittest.TestCase):
    """Samples for one rule, `RULE`, or for several."""

    RULE = None

    def assert_caught(self, rule, text, line=1, path=MODEL):
        self.assertIn((rule, line), findings(text + "\n", path), text)

    def assert_accepted(self, text, path=MODEL):
        """The rule finds nothing; without a RULE, no rule does."""
        self.assertEqual([], [
            finding for finding in findings(text + "\n", path)
            if self.RULE in (None, finding[0])
        ], text)


class BannedNameTest(LintTest):
    RULE = "banned-name"

    BAD = [
        "double share = 0;",
        "const float kShare = 1;",
        "std::uniform_int_distribution<int> pick(0, 3);",
        "std::shuffle(a.begin(), a.end(), generator);",
        "std::ranges::shuffle(a, generator);",
        "std::sample(a.begin(), a.end(), out, 3, generator);",
        "std::random_device device;",
        "std::mt19937 generator(seed);",
        "std::mt19937_64 generator(seed);",
        "absl::BitGen generator;",
        "int n = absl::Uniform(generator, 0, 3);",
        "int n = rand();",
        "int n = std::rand();",
        "srand(1);",
        "auto t = std::chrono::system_clock::now();",
        "auto t = std::chrono::steady_clock::now();",
        "auto t = absl::Now();",
        "absl::Duration d;",
        "time_t t = time(nullptr);",
        "clock_gettime(CLOCK_MONOTONIC, &t);",
        "std::thread worker(run);",
        "std::mutex mutex;",
        "std::atomic<int> n;",
        "absl::Mutex mutex;",
        "thread_local const int* current = nullptr;",
        'const char* home = getenv("HOME");',
        'const char* home = std::getenv("HOME");',
        "out.imbue(locale);",
        "std::ifstream in(path);",
        'FILE* file = fopen(path, "r");',
        "std::filesystem::path path;",
        "int n = std::sqrt(9);",
        "std::unordered_map<int, int> table;",
        "std::map<const Client*, int> table;",
        "absl::btree_set<Client*> table;",
        "auto n = reinterpret_cast<uintptr_t>(client);",
        "size_t n = std::hash<int>()(3);",
        "#include <thread>",
        "#include <cmath>",
        '#include "absl/synchronization/mutex.h"',
    ]

    def test_every_banned_name_is_caught_in_model_and_sim(self):
        for text in self.BAD:
            for path in (MODEL, "sim/engine/sample.cc"):
                with self.subTest(text=text, path=path):
                    self.assert_caught("banned-name", text, path=path)

    def test_other_rooms_may_use_these_names(self):
        self.assert_accepted("double Share();",
                             "scenarios/measure/sample.cc")

    def test_a_name_in_a_comment_or_in_quotes_is_accepted(self):
        self.assert_accepted("// As double as can be.")
        self.assert_accepted("/* std::mutex\n double */")
        self.assert_accepted('Say("a double \\" std::mutex");')
        self.assert_accepted('Say(R"(double " std::mutex)");')

    def test_similar_names_are_accepted(self):
        for text in ("int64_t doubled = 2 * n;", "Random(3);",
                     "queue.time(nullptr_guard);", "fact.time();",
                     "host.random(3);", "explicit Host() : random(seed) {}",
                     "Thread thread;", "int64_t n = 1'000'000;",
                     "const auto n = reinterpret_cast<char*>(p);",
                     "absl::btree_map<Name, Client*> table;"):
            with self.subTest(text=text):
                self.assert_accepted(text)

    def test_a_digit_separator_does_not_open_a_literal(self):
        self.assert_caught("banned-name", "Wait(1'000); double x; Wait('0');")


class AllowanceTest(LintTest):
    RULE = "banned-name"

    def test_a_reason_on_the_line_allows_it(self):
        self.assert_accepted("double x;  // lint: allow(reported only)")

    def test_a_reason_in_the_comment_above_allows_it(self):
        self.assert_accepted("// Shown. lint: allow(reported only)\ndouble x;")

    def test_a_reason_allows_no_line_further_down(self):
        self.assert_caught("banned-name",
                           "// lint: allow(reported)\n\ndouble x;", 3)

    def test_a_reason_on_a_line_of_code_is_not_for_the_next(self):
        self.assert_caught(
            "banned-name", "double x;  // lint: allow(one)\ndouble y;", 2)

    def test_an_allowance_without_a_reason_is_caught_and_allows_nothing(self):
        text = "double x;  // lint: allow" "()"
        self.assert_caught("allowance", text)
        self.assert_caught("banned-name", text)


class ArrowTest(LintTest):
    RULE = "arrow"

    def test_arrows_against_the_table_are_caught(self):
        for room, include in [
                ("model/base", "model/wire/reply.h"),
                ("model/wire", "model/facts/fact.h"),
                ("model/facts", "model/runtime/clock.h"),
                ("model/allocation", "model/client/client.h"),
                ("model/runtime", "model/client/client.h"),
                ("model/client", "model/broker/broker.h"),
                ("model/broker", "model/client/client.h"),
                ("model/broker", "model/allocation/strategy.h"),
                ("model/namesrv", "model/broker/broker.h"),
                ("model/client", "sim/engine/engine.h"),
                ("model/client", "scenarios/runner/runner.h"),
                ("sim/host", "model/client/client.h"),
                ("sim/host", "scenarios/runner/runner.h"),
                ("scenarios/runner", "tools/cli/command.h"),
                ("tools/cli", "tests/support/story.h"),
        ]:
            with self.subTest(room=room, include=include):
                self.assert_caught("arrow", f'#include "{include}"',
                                   path=f"{room}/sample.cc")

    def test_arrows_of_the_table_are_accepted(self):
        for room, include in [
                ("model/base", "model/base/time.h"),
                ("model/base", "absl/strings/str_cat.h"),
                ("model/facts", "model/wire/reply.h"),
                ("model/client", "model/allocation/strategy.h"),
                ("model/broker", "model/runtime/clock.h"),
                ("sim/network", "sim/engine/engine.h"),
                ("sim/host", "model/runtime/clock.h"),
                ("scenarios/runner", "model/client/client.h"),
                ("tools/cli", "scenarios/runner/runner.h"),
                ("tests/model/client", "sim/host/host.h"),
        ]:
            with self.subTest(room=room, include=include):
                self.assert_accepted(f'#include "{include}"',
                                     f"{room}/sample.cc")

    def test_libraries_stop_at_their_floor(self):
        for include in ("<google/protobuf/message.h>",
                        '"google/protobuf/message.h"', "<nlohmann/json.hpp>",
                        '"gtest/gtest.h"'):
            with self.subTest(include=include):
                self.assert_caught("arrow", f"#include {include}")
        self.assert_caught("arrow", '#include "gtest/gtest.h"',
                           path="scenarios/runner/sample.cc")
        self.assert_accepted('#include "google/protobuf/message.h"',
                             "scenarios/runner/sample.cc")

    def test_an_include_in_a_comment_is_none(self):
        self.assert_accepted('// #include "sim/engine/engine.h"')
        self.assert_accepted('/*\n#include "sim/engine/engine.h"\n*/')

    def test_a_room_missing_from_the_table_is_caught(self):
        self.assert_caught("arrow", '#include "model/base/time.h"',
                           path="model/novel/sample.cc")


class CycleTest(unittest.TestCase):
    @staticmethod
    def cycles(*arrows):
        sources = [Source(f"sim/{start}/sample.cc",
                          f'#include "sim/{end}/sample.h"\n')
                   for start, end in arrows]
        return [finding.what for finding in command.check_sources(sources)
                if finding.rule == "cycle"]

    def test_rooms_that_include_each_other_are_caught_once(self):
        self.assertEqual(
            ["rooms include each other: sim/a -> sim/b -> sim/a"],
            self.cycles(("a", "b"), ("b", "a")))

    def test_a_longer_circle_is_caught(self):
        self.assertEqual(
            ["rooms include each other: sim/a -> sim/b -> sim/c -> sim/a"],
            self.cycles(("a", "b"), ("b", "c"), ("c", "a")))

    def test_layers_are_accepted(self):
        self.assertEqual([], self.cycles(("a", "b"), ("b", "c"), ("a", "c"),
                                         ("b", "b")))


class CoAwaitTest(LintTest):
    RULE = "co-await-braces"

    def test_braces_inside_are_caught(self):
        for text in ("co_await remoting.Call(address, PullRequest{queue});",
                     "auto r = co_await Call({queue, offset});",
                     "if (!co_await Call(Request{})) co_return;",
                     "co_await Run([&] { Step(); });",
                     "co_await Sleep{100ms};"):
            with self.subTest(text=text):
                self.assert_caught("co-await-braces", text)

    def test_the_line_of_the_brace_is_told(self):
        self.assert_caught("co-await-braces",
                           "co_await Call(\n    address,\n    Request{});", 3)

    def test_braces_around_and_after_are_accepted(self):
        for text in ("co_await remoting.Call(address, std::move(request));",
                     "const bool got = co_await locks_.Acquire(queue);",
                     "Pair p{co_await First(), 2};",
                     "Use(co_await First(), Request{});",
                     "Awaiter operator co_await() && { return Awaiter(h_); }",
                     "// co_await Call(Request{});"):
            with self.subTest(text=text):
                self.assert_accepted(text)


class CoAwaitConditionTest(LintTest):
    RULE = "co-await-condition"

    def test_awaiting_in_a_condition_is_caught(self):
        for text in ("if (co_await Send()) Wake();",
                     "if (ordered && !co_await locks.Acquire(queue)) return;",
                     "while (co_await Next()) {\n}"):
            with self.subTest(text=text):
                self.assert_caught("co-await-condition", text)

    def test_awaiting_beside_a_condition_is_accepted(self):
        for text in ("const bool sent = co_await Send();\nif (sent) Wake();",
                     "if (ready) co_await Send();",
                     "while (more) {\n  co_await Next();\n}",
                     "// if (co_await Send())"):
            with self.subTest(text=text):
                self.assert_accepted(text)


class AwaitSuspendTest(LintTest):
    RULE = "await-suspend-handle"

    def test_handles_are_caught(self):
        for text in (
                "std::coroutine_handle<> await_suspend("
                "std::coroutine_handle<> h);",
                "std::coroutine_handle<Promise> await_suspend(Handle h) {",
                "Handle await_suspend(Handle h);",
                "std::coroutine_handle<> Task::await_suspend(Handle h) {",
                "auto await_suspend(Handle h) { return next_; }",
                "auto await_suspend(Handle h) -> std::coroutine_handle<> {"):
            with self.subTest(text=text):
                self.assert_caught("await-suspend-handle", text)

    def test_void_and_bool_are_accepted(self):
        for text in ("void await_suspend(std::coroutine_handle<> h);",
                     "bool await_suspend(std::coroutine_handle<Promise> h);",
                     "auto await_suspend(Handle h) -> bool {"):
            with self.subTest(text=text):
                self.assert_accepted(text)


class HashWalkTest(LintTest):
    RULE = "hash-walk"

    TABLE = "absl::flat_hash_map<int, std::vector<int>> table_;\n"

    def test_walks_are_caught(self):
        for walk in ("for (const auto& [key, value] : table_) Use(key);",
                     "for (auto& entry : this->table_) Use(entry);",
                     "Use(table_.begin());"):
            with self.subTest(walk=walk):
                self.assert_caught("hash-walk", self.TABLE + walk, 2)

    def test_a_walk_of_a_member_that_the_header_declares_is_caught(self):
        header = Source("sim/host/sample.h", self.TABLE)
        source = Source("sim/host/sample.cc", "for (auto& e : table_) Use(e);\n")
        self.assertIn(
            ("sim/host/sample.cc", "hash-walk"),
            [(finding.path, finding.rule)
             for finding in command.check_sources([header, source])])

    def test_a_walk_that_collects_for_sorting_is_accepted(self):
        walk = "for (auto& [id, e] : table_) ids.push_back(id);\n"
        self.assert_accepted(
            self.TABLE + walk + "std::sort(ids.begin(), ids.end());")
        self.assert_caught(
            "hash-walk", self.TABLE + walk + "\n\n\n\n"
            "std::sort(ids.begin(), ids.end());", 2)

    def test_looking_up_and_walking_in_order_are_accepted(self):
        for text in (self.TABLE + "if (table_.find(3) != table_.end()) Use();",
                     "absl::btree_map<int, int> table_;\n"
                     "for (auto& e : table_) Use(e);"):
            with self.subTest(text=text):
                self.assert_accepted(text)


class MutableStaticTest(LintTest):
    RULE = "mutable-static"

    def test_state_that_outlives_a_world_is_caught(self):
        for line, text in [
                (1, "int counter = 0;"),
                (1, "std::vector<int> seen;"),
                (1, "static Client* current;"),
                (1, "inline int counter{0};"),
                (1, "int Client::count_ = 0;"),
                (2, "void Next() {\n  static int n = 0;\n}"),
                (2, "void Next() {\n  static Table table(3);\n}"),
                (2, "void Next() {\n  static Table table{3};\n}"),
                (3, "class Client {\n public:\n  static int count_;\n};"),
                (3, "namespace groupsim {\nnamespace {\nint counter;\n}\n}"),
                (3, "Run([] {\n  int n = 0;\n  static int calls = 0;\n});"),
        ]:
            with self.subTest(text=text):
                self.assert_caught("mutable-static", text, line)

    def test_constants_functions_and_locals_are_accepted(self):
        for text in (
                "constexpr int kCount = 3;",
                "inline constexpr Duration kPeriod = 30s;",
                "const std::vector<int> kSeen = {1, 2};",
                "static const int kCount = 3;",
                "using Table = std::vector<int>;",
                "class Client;",
                "enum class Kind { kOne, kTwo };",
                "struct Pair {\n  int first = 0;\n  int second{0};\n};",
                "template <class T>\nT Next(T value) {\n  T n = value;\n"
                "  return n;\n}",
                "class Client {\n public:\n  static Client Make(int n);\n"
                "  static constexpr int kCount = 3;\n  int count_ = 0;\n};",
                "void Next() {\n  static const Table& table = *new Table();\n"
                "  static_assert(sizeof(int) == 4);\n}",
                "int Next(int n) {\n  for (int i = 0; i < n; ++i) Use(i);\n"
                "  return n;\n}",
                "bool operator==(Name a, Name b) = default;",
                "namespace {\nint Next() { return 3; }\n}  // namespace",
                "Client::Client(int n) : count_{n}, next_(0) { Start(); }",
        ):
            with self.subTest(text=text):
                self.assert_accepted(text)


class ExceptionTest(LintTest):
    RULE = "exception"

    def test_exceptions_are_caught(self):
        self.assert_caught("exception", "void Stop() { throw 3; }",
                           path="scenarios/runner/sample.cc")
        self.assert_caught("exception", "void f() {\n  try {\n  }\n}", 2)

    def test_words_like_these_are_accepted(self):
        self.assert_accepted("int retry = Retry();")


class HeaderGuardTest(LintTest):
    RULE = "header-guard"

    PATH = "model/base/time.h"

    def test_the_guard_of_the_path_is_accepted(self):
        self.assert_accepted(
            "// Time.\n#ifndef GROUPSIM_MODEL_BASE_TIME_H_\n"
            "#define GROUPSIM_MODEL_BASE_TIME_H_\n\n#include <string>\n\n"
            "#endif  // GROUPSIM_MODEL_BASE_TIME_H_", self.PATH)

    def test_another_or_no_guard_is_caught(self):
        self.assert_caught("header-guard", "#ifndef TIME_H\n#define TIME_H\n"
                           "#endif  // TIME_H", path=self.PATH)
        self.assert_caught("header-guard", "#pragma once", path=self.PATH)
        self.assert_caught("header-guard", "int Next();", path=self.PATH)

    def test_an_end_without_the_name_is_caught(self):
        self.assert_caught(
            "header-guard", "#ifndef GROUPSIM_MODEL_BASE_TIME_H_\n"
            "#define GROUPSIM_MODEL_BASE_TIME_H_\n#endif", 3, self.PATH)


class TextTest(LintTest):
    def test_leftover_marks_are_caught_in_any_file(self):
        for mark in ("TO" "DO", "FIX" "ME", "X" "XX", "HA" "CK"):
            with self.subTest(mark=mark):
                self.assert_caught("leftover-mark", f"# {mark}: more",
                                   path="docs/walk.md")

    def test_words_that_contain_a_mark_are_accepted(self):
        self.assert_accepted("mktemp /tmp/a.X" "XXXXX", "tools/sample")

    def test_addresses_of_packages_are_caught(self):
        for address in ("https" "://registry.example.org/left-pad",
                        "http" "://deb.example.org/debian",
                        "https" "://example.org/releases/lib-1.2.tar.gz",
                        "http_archive" "(name = \"lib\")"):
            with self.subTest(address=address):
                self.assert_caught("registry-address", address,
                                   path="WORKSPACE")

    def test_other_addresses_are_accepted(self):
        self.assert_accepted("See https" "://rocketmq.example.org/docs.",
                             "README.md")

    def test_long_files_are_caught(self):
        self.assert_caught("file-length", "\n" * 700, 701)
        self.assert_accepted("\n" * 699)
        self.assert_accepted("\n" * 5000, "tests/vectors/sample.jsonl")

    def test_blanks_at_line_ends_are_caught(self):
        self.assert_caught("whitespace", "a\nb ", 2, "README.md")
        self.assert_caught("whitespace", "a\r", 1, "README.md")
        self.assertEqual([("whitespace", 1)], findings("no end", "README.md"))


class NamedTestTest(unittest.TestCase):
    TEST_FILE = "tests/cases/some_test.cc"

    def named(self, row, *paths):
        """Findings in a page with this row beside files at these paths."""
        sources = [Source("docs/cases.md", f"# Cases\n\n{row}\n")]
        sources += [
            Source(path, "TEST(SomeCase, ItComesTwice) {}\n") for path in paths
        ]
        return [(finding.line, finding.what)
                for finding in command.check_sources(sources)]

    def test_tests_that_are_there_are_accepted(self):
        self.assertEqual([], self.named(
            f"| C01 | twice | `{self.TEST_FILE}`: `ItComesTwice` |",
            self.TEST_FILE))

    def test_missing_tests_and_files_are_caught(self):
        self.assertEqual(
            [(3, f"{self.TEST_FILE} has no test ItComesThrice")],
            self.named(f"| `{self.TEST_FILE}`: `ItComesThrice` |",
                       self.TEST_FILE))
        self.assertEqual(
            [(3, f"there is no {self.TEST_FILE}")],
            self.named(f"| `{self.TEST_FILE}`: `ItComesTwice` |",
                       "tests/cases/another_test.cc"))

    def test_other_code_is_accepted(self):
        self.assertEqual([], self.named(
            f"| `CamelCase`, `{self.TEST_FILE}`: `known_fault`, `FAULT` |",
            self.TEST_FILE))

    def test_files_that_were_not_asked_for_are_not_missed(self):
        self.assertEqual([], self.named(f"| `{self.TEST_FILE}` |"))


class CommandTest(unittest.TestCase):
    """The command on a small tree of its own."""

    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copytree("tools/lint", os.path.join(self.root, "tools/lint"))
        self.put("model/base/good.cc", "int Next();\n")

    def put(self, path, text):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def run_lint(self, *arguments):
        return subprocess.run(
            [os.path.join(self.root, "tools/lint/run"), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            check=False)

    def test_a_clean_tree_has_no_findings(self):
        run = self.run_lint(os.path.join(self.root, "model"))
        if formatting.tool()[0] is not None:
            self.assertEqual("lint: 1 files, no findings\n", run.stdout)
            self.assertEqual(0, run.returncode)

    def test_findings_name_place_rule_and_remedy(self):
        self.put("model/base/bad.cc", "\nint n = rand();\n")
        run = self.run_lint(os.path.join(self.root, "model"))
        self.assertEqual(1, run.returncode)
        self.assertIn(
            "model/base/bad.cc:2: error: banned-name: 'rand' is a generator "
            "of the C library; draw from a named stream\n", run.stdout)

    def test_code_that_clang_format_would_change_is_caught(self):
        if formatting.tool()[0] is None:
            self.skipTest("no clang-format here")
        self.put("model/base/bad.cc", "int  Next( );\n")
        run = self.run_lint(os.path.join(self.root, "model"))
        self.assertIn("model/base/bad.cc:1: error: format: ", run.stdout)
        self.assertEqual(1, run.returncode)

    def test_files_without_text_are_left_out(self):
        with open(os.path.join(self.root, "model/base/data.bin"), "wb") as out:
            out.write(b"\xff\xfe \x00")
        run = self.run_lint(os.path.join(self.root, "model/base/data.bin"))
        self.assertEqual("lint: 0 files, no findings\n", run.stdout)

    def test_a_missing_path_is_told(self):
        run = self.run_lint("no/such/path")
        self.assertIn("no/such/path: no such file", run.stderr)
        self.assertNotEqual(0, run.returncode)

    def test_an_unknown_flag_is_wrong_usage(self):
        self.assertEqual(2, self.run_lint("--frob").returncode)

    def test_the_list_names_every_rule(self):
        listed = self.run_lint("--list").stdout
        for rule in command.RULES:
            self.assertIn(rule, listed)
