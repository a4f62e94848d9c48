# The four commands of the project; CMake and Ninja do the work.
BUILD ?= build
CMAKE_FLAGS ?=

.PHONY: build demo check bench packages configure clean

build: configure
	cmake --build $(BUILD)

packages:
	tools/install-packages packages.txt

configure: packages
	@test -f $(BUILD)/build.ninja || cmake -S . -B $(BUILD) -G Ninja \
	  -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 $(CMAKE_FLAGS)

demo: build
	examples/demo $(BUILD)

check: build
	test/check $(BUILD)

bench: build
	tools/install-packages bench/packages.txt
	bench/run $(BUILD)

clean:
	rm -rf $(BUILD)
