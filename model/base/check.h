// CHECK: a condition that can only fail by a bug of ours.
//
//   CHECK(offset >= 0) << "offset " << offset;
//   CHECK_EQ(owner, self);
//
// It holds in every build. A failure prints the condition, the message and the
// context of the running world (seed, virtual time, the line that reproduces
// the run), then leaves the process at once with exit code 70.
#ifndef GROUPSIM_MODEL_BASE_CHECK_H_
#define GROUPSIM_MODEL_BASE_CHECK_H_

#include <cstdint>
#include <sstream>

namespace groupsim {

// Exit code of an internal error.
inline constexpr int kInternalErrorExitCode = 70;

// Says where a run stands when a CHECK fails. A world installs one for as long
// as it runs; contexts nest, and the innermost one of the thread is printed.
class FailureContext {
 public:
  FailureContext();
  virtual ~FailureContext();
  FailureContext(const FailureContext&) = delete;
  FailureContext& operator=(const FailureContext&) = delete;

  // Writes lines about the run: seed, virtual time, how to reproduce it.
  virtual void Describe(std::ostream& out) const = 0;

  // The innermost context of this thread, or null.
  static const FailureContext* Current();

 private:
  const FailureContext* outer_;
};

namespace internal {

// Collects the message of a failed check; its destructor ends the process.
class CheckFailure {
 public:
  CheckFailure(const char* file, int line, const char* condition);
  [[noreturn]] ~CheckFailure();
  std::ostream& stream() { return stream_; }

 private:
  std::ostringstream stream_;
};

// Gives both branches of CHECK's conditional operator the type void.
struct Voidify {
  void operator&(std::ostream&) const {}
};

}  // namespace internal
}  // namespace groupsim

#define CHECK(condition)                                                       \
  __builtin_expect(static_cast<bool>(condition), 1)                            \
      ? static_cast<void>(0)                                                   \
      : ::groupsim::internal::Voidify() &                                      \
            ::groupsim::internal::CheckFailure(__FILE__, __LINE__, #condition) \
                .stream()

#define GROUPSIM_CHECK_OP(a, op, b) \
  CHECK((a)op(b)) << (a) << " against " << (b) << " "
#define CHECK_EQ(a, b) GROUPSIM_CHECK_OP(a, ==, b)
#define CHECK_NE(a, b) GROUPSIM_CHECK_OP(a, !=, b)
#define CHECK_LT(a, b) GROUPSIM_CHECK_OP(a, <, b)
#define CHECK_LE(a, b) GROUPSIM_CHECK_OP(a, <=, b)
#define CHECK_GT(a, b) GROUPSIM_CHECK_OP(a, >, b)
#define CHECK_GE(a, b) GROUPSIM_CHECK_OP(a, >=, b)

#endif  // GROUPSIM_MODEL_BASE_CHECK_H_
