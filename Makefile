# The lines themselves stand in .ci/run, so that a person and CI run the same ones.
STEPS := tools fmt vet fix staticcheck lint test race traces fuzz readme format tidy

.PHONY: all $(STEPS)

all: ## everything that CI runs
	@.ci/run

$(STEPS): ## one step of it
	@.ci/run $@

.PHONY: soak
soak: ## the proof of package diffs on 100,000 conversations, its traces at every decision point, and archives of 1 GiB
	TRIMKIT_SOAK=100000 go test ./diffs -run 'TestProof|TestTraces' -timeout 3h
	TRIMKIT_SOAK=1 go test ./archive ./archive/sqlite -run 'TestDirectory|TestStore' -timeout 3h

.PHONY: release
release: ## a release of every module: make release VERSION=v0.1.0, with DRY=1 only to try it
	@.ci/release $(if $(DRY),--dry) $(VERSION)

.PHONY: oracle
oracle: ## package bpe on 38 MB of text, against what the official tokenizer counted; with node at hand, counted anew
	TRIMKIT_ORACLE=1 go test ./budget/bpe -run TestOfficial -v
	@if command -v npm >/dev/null; then benchmarks/oracle/check; else echo "no npm: the golden counts were not computed anew"; fi
