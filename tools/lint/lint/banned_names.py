"""Names that `model/` and `sim/` do without, so that runs repeat."""

import re

from lint.finding import Finding

RULE = "banned-name"
FOLDERS = ("model", "sim")

# Pattern, what it stands for, remedy.
_TABLE = [
    (r"\b(?:float|double)\b",
     "floating point", "use whole numbers or Ratio"),
    (r"\bstd::\w+_distribution\b",
     "a distribution of the standard library", "use sim/random"),
    (r"\bstd::(?:ranges::)?(?:random_)?shuffle\b",
     "the standard library's shuffle", "use the stream's own"),
    (r"\bstd::(?:ranges::)?sample\b",
     "the standard library's sampling", "use sim/random"),
    (r"\bstd::(?:random_device|mt19937(?:_64)?|minstd_rand0?|ranlux\w+"
     r"|knuth_b|default_random_engine)\b",
     "a generator of the standard library", "draw from a named stream"),
    (r"\babsl::(?:Insecure)?BitGen(?:Ref)?\b|\babsl::(?:Uniform|Bernoulli"
     r"|Poisson|Exponential|Gaussian|LogUniform|Zipf)\b",
     "a generator of Abseil", "draw from a named stream"),
    (r"(?<![\w.>:])(?:std::|::)?(?:s?rand|rand_r|[dlm]rand48|srandom)\s*\("
     r"|(?<![\w.>:])(?:::)?random\s*\(\s*\)",
     "a generator of the C library", "draw from a named stream"),
    (r"\b(?:system|steady|high_resolution|utc|tai|gps|file)_clock\b",
     "a clock of the machine", "use Clock of the Env"),
    (r"\babsl::(?:Now|GetCurrentTimeNanos|SleepFor|Time|Duration"
     r"|TimeZone|LocalTimeZone)\b",
     "Abseil's time", "use Instant, Duration and Clock"),
    (r"\b(?:clock_gettime|gettimeofday|localtime(?:_r)?|gmtime(?:_r)?"
     r"|strftime|nanosleep|usleep)\b"
     r"|\bstd::(?:time|clock)\s*\(|(?<![\w.>:])time\s*\(\s*(?:nullptr|NULL|0)",
     "a clock of the machine", "use Clock of the Env"),
    (r"\bstd::(?:j?thread|this_thread|async|future|shared_future|promise"
     r"|packaged_task|atomic\w*|(?:recursive_|timed_|shared_)*mutex"
     r"|condition_variable\w*|lock_guard|unique_lock|scoped_lock|shared_lock"
     r"|call_once|once_flag|counting_semaphore|binary_semaphore|latch|barrier"
     r"|stop_token)\b|\bpthread_\w+|\bthread_local\b",
     "threads", "a role runs on one loop; use Task and Lane"),
    (r"\babsl::(?:Mutex\w*|CondVar|Notification|BlockingCounter|Barrier"
     r"|call_once|once_flag)\b",
     "threads", "a role runs on one loop; use Task and Lane"),
    (r"\b(?:secure_)?getenv\b|\b(?:set|put|unset)env\b|\benviron\b",
     "the environment", "pass settings to the constructor"),
    (r"\bstd::locale\b|\bsetlocale\b|\bimbue\b|\buselocale\b",
     "the locale", "use absl::StrCat and absl::StrFormat"),
    (r"\bstd::(?:basic_)?[io]?fstream\b|\bstd::filesystem\b"
     r"|(?<![\w.>])(?:std::|::)?(?:fopen|freopen|tmpfile|mkstemp)\s*\(",
     "files", "let scenarios/ or tools/ read and write"),
    (r"\bstd::(?:exp2?|log(?:2|10|1p)?|pow|sqrt|cbrt|sin|cos|tan|lround"
     r"|floor|ceil|round|erf|tgamma|lgamma)\b",
     "floating-point functions", "use integer arithmetic or a table"),
    (r"\bstd::unordered_\w+",
     "a hash table of the standard library",
     "use absl::flat_hash_map to look up, absl::btree_map to walk"),
    (r"\bstd::(?:multi)?(?:map|set)\s*<\s*(?:const\s+)?[\w:]+\s*\*"
     r"|\babsl::btree_(?:multi)?(?:map|set)\s*<\s*(?:const\s+)?[\w:]+\s*\*",
     "an order by address", "order by an id or a name"),
    (r"\breinterpret_cast\s*<\s*(?:std::)?u?intptr_t\s*>",
     "an address as a number", "use an id"),
    (r"\bstd::hash\b|\btypeid\b",
     "a value that differs between libraries", "use xxHash or an id"),
]
_NAMES = [(re.compile(pattern), what, remedy)
          for pattern, what, remedy in _TABLE]

_HEADERS = {
    "atomic": "threads", "barrier": "threads",
    "condition_variable": "threads", "future": "threads",
    "latch": "threads", "mutex": "threads", "pthread.h": "threads",
    "semaphore": "threads", "shared_mutex": "threads",
    "stop_token": "threads", "thread": "threads",
    "cmath": "floating-point functions", "math.h": "floating-point functions",
    "ctime": "a clock of the machine", "time.h": "a clock of the machine",
    "sys/time.h": "a clock of the machine",
    "filesystem": "files", "fstream": "files",
    "locale": "the locale", "clocale": "the locale", "codecvt": "the locale",
    "random": "generators of the standard library",
    "unordered_map": "a hash table of the standard library",
    "unordered_set": "a hash table of the standard library",
}


def check(source):
    if not source.is_cpp() or not source.is_below(*FOLDERS):
        return
    for pattern, what, remedy in _NAMES:
        for match in pattern.finditer(source.code):
            name = " ".join(match.group(0).rstrip("( ").split())
            yield Finding(source.path, source.line_at(match.start()), RULE,
                          f"'{name}' is {what}", remedy)
    for line, _, path in source.includes:
        if path in _HEADERS:
            yield Finding(source.path, line, RULE,
                          f"<{path}> is for {_HEADERS[path]}",
                          "model/ and sim/ do without")
        elif path.startswith("absl/random/") or \
                path.startswith("absl/synchronization/"):
            yield Finding(source.path, line, RULE,
                          f"{path} is for chance or threads of the machine",
                          "use the seams of model/runtime")
