"""The native proto rules, which Bazel's own tool packages load."""

proto_library = native.proto_library
proto_lang_toolchain = native.proto_lang_toolchain
