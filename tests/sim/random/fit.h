// Does a sample follow a law? Two classic tests of fit.
#ifndef GROUPSIM_TESTS_SIM_RANDOM_FIT_H_
#define GROUPSIM_TESTS_SIM_RANDOM_FIT_H_

#include <cstdint>
#include <functional>
#include <vector>

namespace groupsim {

// Pearson's test. How many standard deviations the chi-square statistic of
// `counts` against the chances `expected` (which sum to 1) lies above its mean,
// on the normal scale of Wilson and Hilferty: below 3.1 in all but one of a
// thousand samples of the right law, and rarely below -3.1.
double ChiSquareScore(const std::vector<int64_t>& counts,
                      const std::vector<double>& expected);

// Kolmogorov's test against a continuous law: the largest distance between the
// law and the sample's distribution function, times the root of the sample
// size. Below 1.95 in all but one of a thousand samples of the right law.
double KolmogorovScore(std::vector<double> sample,
                       const std::function<double(double)>& law);

}  // namespace groupsim

#endif  // GROUPSIM_TESTS_SIM_RANDOM_FIT_H_
