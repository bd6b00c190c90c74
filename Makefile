# The lines themselves stand in .ci/run, so that a person and CI run the same ones.
STEPS := tools fmt vet fix staticcheck lint test race standalone fuzz readme format tidy

.PHONY: all $(STEPS)

all: ## everything that CI runs
	@.ci/run

$(STEPS): ## one step of it
	@.ci/run $@

.PHONY: soak
soak: ## the proof of package diffs on 100,000 conversations, and its traces at every decision point
	TRIMKIT_SOAK=100000 go test ./diffs -run 'TestProof|TestTraces' -timeout 3h

.PHONY: release
release: ## a release of every module: make release VERSION=v0.1.0, with DRY=1 only to try it
	@.ci/release $(if $(DRY),--dry) $(VERSION)
