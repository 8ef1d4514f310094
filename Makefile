# Everything starts here: `make demo`, `make test`, `make build`. Each installs what is missing first.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# Outside of the checkout, so that a fresh clone need not build the dependencies again.
CACHE := $(or $(SECATEUR_CACHE),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/secateur)
export CARGO_TARGET_DIR ?= $(CACHE)/target
# The same for every checkout, because Bitwuzla is built anew whenever this changes.
export PKG_CONFIG_PATH := $(CACHE)/pkgconfig
PREFIX ?= /usr/local
DESTDIR ?=

.PHONY: help demo test test-cluster test-long bench bench-coreutils bench-formats bench-learn bench-parsers bench-real \
  bench-search bench-seeds build install \
  clean setup setup-tests program runtime

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: build ## build, then explore a bundled example
	@# The example has a bug to be found; 10 says that it was.
	bin/secateur run examples/maze.c --out secateur-out || [ $$? -eq 10 ]

test: setup-tests build ## build, then run every check and test
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --release --locked -- -D warnings
	scripts/check-deps.sh
	scripts/check-replay.sh
	scripts/check-libc.sh lib/secateur/libc
	SECATEUR_RUNTIME=$(CURDIR)/lib/secateur cargo test --workspace --release --locked

# Property tests try the cases of a fixed seed (.cargo/config.toml), but for the long tests, which try others each time;
# `make test-long PROPTEST_RNG_SEED=N` tries those of a run that failed again.
FRESH_SEED := $(or $(PROPTEST_RNG_SEED),$(shell date +%s))
PROPERTY_TESTS := --package secateur-expr --package secateur-path --package secateur-solver --package secateur-suite

# What takes long, or looks at the clock: on a machine that does nothing else.
test-long: export SECATEUR_RUNTIME := $(CURDIR)/lib/secateur
test-long: export CSMITH_INCLUDE := /usr/include/csmith
test-long: setup-tests build ## run the long campaigns: other cases of properties, random programs, hostile programs, kills, real programs, all internal checks
	PROPTEST_RNG_SEED=$(FRESH_SEED) cargo test --release --locked $(PROPERTY_TESTS) || \
	  { echo "To try the same cases again: make test-long PROPTEST_RNG_SEED=$(FRESH_SEED)" >&2; exit 1; }
	CSMITH_PROGRAMS=2000 CSMITH_SYMBOLIC=500 cargo test --release --locked --package secateur --test csmith
	VERDICT_SEED=$(FRESH_SEED) VERDICT_PROGRAMS=500 cargo test --release --locked --package secateur --test verdicts
	REACH_SEED=$(FRESH_SEED) REACH_PROGRAMS=300 cargo test --release --locked --package secateur --test reach_random
	cargo test --workspace --release --locked -- --ignored --test-threads 1
	cargo xtask bench-real
	cargo test --profile checked --locked --package secateur --test programs

test-cluster: export SECATEUR_RUNTIME := $(CURDIR)/lib/secateur
test-cluster: setup-tests build ## kill workers, collectors and servers of clusters, some hundred times
	cargo test --release --locked --package secateur --test cluster -- --include-ignored --test-threads 1

bench: build ## run the benchmark programs and print them beside KLEE's figures (not a test)
	cargo xtask bench $(PROGRAMS)

bench-search: build ## measure the orders of search and write the table of docs/search.md
	cargo xtask bench-search $(ORDERS)

bench-parsers: build ## compare with fuzzers on real parsers (ARGS="--seconds 15 --parsers cjson" and the like)
	cargo xtask bench-parsers $(ARGS)

bench-real: build ## run real programs in the machine and natively, and compare what they print (PROGRAMS="coreutils grep")
	cargo xtask bench-real $(PROGRAMS)

bench-coreutils: build ## explore 20 programs of coreutils for a minute each, and count what the tests cover (ARGS="--seconds 15 cut")
	cargo xtask bench-coreutils $(ARGS)

bench-learn: build ## measure --learn on real programs, for hours; goes on where it was stopped (ARGS="--seconds 30 --seeds 1")
	cargo xtask bench-learn $(ARGS)

bench-formats: build ## how soon bugs behind checksums and keywords are found, by Secateur and by fuzzers
	cargo xtask bench-formats $(ARGS)

bench-seeds: setup-tests build ## measure look-ahead and its kin, interpolation, reach and clusters, on programs written for that
	cargo xtask bench-seeds
	cargo xtask bench-interpolation
	cargo xtask bench-reach
	cargo xtask bench-cluster

build: program runtime ## install what is missing and build bin/secateur

# Under sudo the caches are another user's: what was built before is installed as it is.
install: $(if $(and $(SUDO_USER),$(wildcard bin/secateur)),,build) ## copy the program to PREFIX (/usr/local)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib
	install bin/secateur $(DESTDIR)$(PREFIX)/bin/secateur
	rm -rf $(DESTDIR)$(PREFIX)/lib/secateur
	cp -r lib/secateur $(DESTDIR)$(PREFIX)/lib/secateur
	@# For builds whose compiler must be a single word.
	ln -sf secateur $(DESTDIR)$(PREFIX)/bin/secateur-cc
	bin/secateur manual $(DESTDIR)$(PREFIX)/share

clean: ## remove what was built in this checkout (the shared cache stays)
	rm -rf bin lib secateur-out

setup:
	@scripts/setup.sh
	@mkdir -p $(PKG_CONFIG_PATH)
	@cmp -s build/pkgconfig/symfpu.pc $(PKG_CONFIG_PATH)/symfpu.pc || cp build/pkgconfig/symfpu.pc $(PKG_CONFIG_PATH)/

setup-tests: setup
	@scripts/setup.sh tests

program: setup
	cargo build --release --locked --package secateur
	@mkdir -p bin
	@cmp -s $(CARGO_TARGET_DIR)/release/secateur bin/secateur || \
	  { cp $(CARGO_TARGET_DIR)/release/secateur bin/secateur.new && mv bin/secateur.new bin/secateur; }

# What the program needs at run time: headers, the replay library and the C library.
runtime: setup
	@mkdir -p lib/secateur
	@for part in include replay; do \
	  diff -r -q runtime/$$part lib/secateur/$$part >/dev/null 2>&1 || \
	    { rm -rf lib/secateur/$$part && cp -r runtime/$$part lib/secateur/$$part; }; \
	done
	@scripts/libc.sh lib/secateur/libc
