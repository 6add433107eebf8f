"""C++ code of .proto files, made by the distribution's protoc."""

load("@rules_cc//cc:defs.bzl", "cc_library")

def cc_proto(name, src, deps = [], visibility = None):
    """A C++ library of one .proto file.

    Args:
      name: of the library.
      src: the .proto file, in this package. Includes are from the root of the
        workspace.
      deps: the cc_proto targets that it imports.
      visibility: of the library.
    """
    stem = src[:-len(".proto")]
    native.filegroup(
        name = name + "_proto",
        srcs = [src] + [dep + "_proto" for dep in deps],
        visibility = visibility,
    )
    native.genrule(
        name = name + "_cc",
        srcs = [src] + [dep + "_proto" for dep in deps],
        outs = [stem + ".pb.cc", stem + ".pb.h"],
        cmd = "/usr/bin/protoc --proto_path=. --proto_path=/usr/include " +
              "--cpp_out=$(GENDIR) $(location " + src + ")",
        message = "Generating code of " + src,
    )
    cc_library(
        name = name,
        srcs = [stem + ".pb.cc"],
        hdrs = [stem + ".pb.h"],
        # The code is not ours.
        copts = ["-w"],
        visibility = visibility,
        deps = deps + ["@system//:protobuf"],
    )
