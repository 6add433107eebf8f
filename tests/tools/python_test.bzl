"""Tests written in Python, run by the distribution's interpreter."""

def python_test(name, src, data = [], **kwargs):
    """A test of one file of unittest cases.

    Args:
      name: of the target.
      src: the file.
      data: what the cases read.
      **kwargs: of any test.
    """
    native.sh_test(
        name = name,
        srcs = ["//tests/tools:python_test.sh"],
        args = ["$(location %s)" % src],
        data = data + [src, "//tests/tools:run_python_test"],
        **kwargs
    )
