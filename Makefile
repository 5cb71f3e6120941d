# Gearbox. `make` alone lists what there is to make.

SHELL := /bin/bash -o pipefail
PREFIX ?= /usr/local
DEMO := .cache/demo

# What building and running need, what the tests need beside it, and photographs, on Debian 12.
PACKAGES := libvips-dev libsqlite3-dev libcurl4-openssl-dev libssl-dev zlib1g-dev libzstd-dev \
    pkg-config
TEST_PACKAGES := libvips-tools nginx-light openssl python3 python3-pil sqlite3 zstd
BENCH_PACKAGES := gnome-backgrounds plasma-workspace-wallpapers mate-backgrounds

# SwiftPM says of libvips' pkg-config flags that -pthread is prohibited; it is harmless.
QUIET := 2> >(grep -v 'prohibited flag' >&2)

.PHONY: help deps test-deps bench-deps build run test soak sanitize lint format bench install clean

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## install the Debian packages that are missing
	@$(call install_missing,$(PACKAGES))

test-deps: deps
	@$(call install_missing,$(TEST_PACKAGES))

build: deps ## build the program, optimised
	@swift build -c release --product gearbox $(QUIET)

run: build ## run the demo pipeline and show what it made
	@bash pipelines/demo.sh .build/release/gearbox $(DEMO)

test: test-deps ## run all tests, on seeded samples
	@swift build --build-tests $(QUIET)
	@timeout 1800 swift test --skip-build $(QUIET)

# The points at which a run can be made to kill itself are in debug builds alone.
soak: bench-deps ## run all tests in full, optimised; takes an hour or more
	@swift build --build-tests $(QUIET)
	@GEARBOX_SOAK=1 swift test --skip-build --filter writePoint $(QUIET)
	@swift build -c release --build-tests $(QUIET)
	@GEARBOX_SOAK=1 swift test -c release --skip-build $(QUIET)

sanitize: test-deps ## run all tests under the thread and the address sanitizer; takes an hour
	@bash Tests/Sanitizers/run.sh thread
	@bash Tests/Sanitizers/run.sh address

lint: deps ## check format, warnings, the directions between targets, and what an app links for iOS
	@swift format lint --strict --recursive Package.swift Sources Tests bench
	@/usr/bin/env python3 Tests/Lint/directions.py
	@/usr/bin/env python3 Tests/Lint/apple.py
	@swift build --explicit-target-dependency-import-check error $(QUIET)

format: ## format the sources in place
	@swift format --in-place --recursive Package.swift Sources Tests bench

bench-deps: test-deps
	@$(call install_missing,$(BENCH_PACKAGES))

bench: bench-deps build ## measure, and compare with what people would use instead
	@bash bench/run.sh .build/release/gearbox

install: deps ## install the program under PREFIX, with the Swift runtime linked in
	@swift build -c release --product gearbox --static-swift-stdlib --scratch-path .build/static $(QUIET)
	@install -D -m 755 .build/static/release/gearbox $(DESTDIR)$(PREFIX)/bin/gearbox
	@echo "installed $(DESTDIR)$(PREFIX)/bin/gearbox"

clean: ## remove what was built and the demo's cache
	@rm -rf .build .cache

# Quiet where everything is there; asks for root only where something is missing.
define install_missing
missing=""; for package in $(1); do \
    dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
done; \
if [ -n "$$missing" ]; then \
    echo "installing$$missing"; \
    sudo=""; [ "$$(id -u)" = 0 ] || sudo=sudo; \
    $$sudo apt-get update -qq && \
    $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing > /dev/null; \
fi
endef
