package diffs

var (
	inspectsFiles = program{effect: EffectInspect}
	testsOrBuilds = program{effect: EffectRun}
	changesAny    = program{effect: EffectChange, files: filesAny}
	ignoresFiles  = program{}
)

// programRows are the programs whose effect on files is known. What is not here has none.
var programRows = []programRow{
	// What prints a state.
	{names: "ls tree find fd", program: program{effect: EffectInspect, do: runList, values: "-name -iname -path -type -maxdepth -mindepth -size -mtime -newer -L -I -P"}},
	{names: "grep egrep fgrep zgrep ack wc file stat du df which whereis type pwd diff cmp comm md5 md5sum sha1sum sha256sum shasum xxd hexdump od strings jq cut uniq column nm objdump readelf locate basename dirname realpath readlink tac rev pgrep ps env printenv id whoami uname", program: inspectsFiles},
	{names: "rg ag", program: inspectsFiles},
	{names: "sort", program: program{effect: EffectChange, files: filesAny, with: "-o --output", otherwise: EffectInspect}},
	{names: "yq", program: program{effect: EffectChange, files: filesAny, with: "-i --inplace", otherwise: EffectInspect}},

	// What prints lines of files: see shell_read.go.
	{names: "cat less more", program: program{do: runCat}},
	{names: "bat batcat", program: program{do: runBat, values: "-r --line-range -l --language --style --paging --color --theme"}},
	{names: "nl", program: program{do: runNl, values: "-b -w -s -v -n -i"}},
	{names: "head", program: program{do: runHead, values: "-n -c --lines --bytes"}},
	{names: "tail", program: program{do: runTail, values: "-n -c --lines --bytes"}},
	{names: "sed gsed", program: program{do: runSed, values: "-e -f --expression --file", cluster: true}},
	{names: "awk gawk mawk", program: program{do: runAwk, values: "-F -v -f"}},
	{names: "echo printf", program: program{do: runEcho}},

	// The shell itself.
	{names: "cd pushd popd", program: program{do: runCd, silent: true}},
	{names: "bash sh zsh dash ksh", program: program{do: runShell}},
	{names: "eval", program: program{do: runEval}},
	{names: "source .", program: program{silent: true}},
	{names: "export set unset shopt alias true false : test [ exit return wait sleep umask ulimit trap read shift kill pkill", program: program{silent: true}},

	// What moves, copies and removes files: see shell_write.go.
	{names: "tee", program: program{do: runTee}},
	{names: "mv", program: program{do: runMove, values: "-t --target-directory -S --suffix"}},
	{names: "cp install", program: program{do: runCopy, values: "-t --target-directory -S --suffix -m -o -g", cluster: true}},
	{names: "rsync", program: program{do: runCopy, values: "-e --exclude --include", cluster: true}},
	{names: "ln", program: program{do: runCopy, values: "-t"}},
	{names: "rm unlink", program: program{do: runRemove}},
	{names: "touch truncate", program: program{do: runTouch, values: "-s -r -d -t --size --reference --date"}},
	{names: "dd", program: program{do: runDd}},
	{names: "mkdir rmdir chmod chown chgrp", program: program{effect: EffectChange, silent: true}},
	{names: "patch gpatch", program: program{do: runPatch, values: "-p -i -d -o -r -F --input --directory"}},
	{names: "apply_patch applypatch", program: program{do: runApplyPatch}},
	{names: "xargs parallel", program: program{do: runXargs, values: "-n -P -I -L -d -s -a --max-args --max-procs"}},
	{names: "unzip", program: program{effect: EffectChange, files: filesAny, without: "-l -t -v -Z -p", otherwise: EffectInspect}},
	{names: "tar bsdtar", program: program{do: runTar}},
	{names: "gunzip bunzip2 unxz uncompress gzip bzip2 xz 7z", program: changesAny},
	{names: "curl", program: program{effect: EffectChange, files: filesAny, with: "-O -o --output --remote-name -OL -LO -sSLo -Lo -sLo -fsSLo -so", otherwise: EffectNone}},
	{names: "wget", program: program{effect: EffectChange, files: filesAny, without: "-O- -qO- --spider", otherwise: EffectNone}},

	// Languages: see shell_script.go.
	{names: "python python2 python3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 pypy3 py ipython", program: program{do: runPython, values: "-W -X"}},
	{names: "node nodejs deno bun ts-node tsx ruby perl php lua Rscript osascript", program: program{do: runInterpreter, subs: true, values: "-r --require -I -M -l --import --loader"}},

	// Tests and builds.
	{names: "pytest py.test tox nox mypy pyright flake8 pylint pyflakes bandit vulture coverage jest vitest mocha ava tap karma cypress playwright tsc tsgo vue-tsc ctest rspec phpunit staticcheck gotestsum ginkgo errcheck govulncheck shellcheck hadolint actionlint javac gcc g++ clang clang++ cc rustc ld clang-tidy cppcheck xcodebuild ninja bazel buck2 sbt phpstan psalm markdownlint yamllint gosec trufflehog", program: testsOrBuilds},
	{names: "eslint stylelint tslint oxlint standard xo markdownlint-cli2 rubocop", program: program{effect: EffectChange, files: filesNamed, with: "--fix -a -A --autocorrect --auto-correct", otherwise: EffectRun, values: "-c --config --ext -f --format --max-warnings"}},
	{names: "golangci-lint", program: program{effect: EffectChange, files: filesAny, with: "--fix", otherwise: EffectRun}},
	{names: "mvn mvnw gradle gradlew ant", program: program{do: runTask}},
	{names: "cmake meson", program: program{effect: EffectRun}},
	{names: "make gmake just task rake invoke inv mage", program: program{do: runTask, values: "-C -f -j -I -l --directory --file"}},
	{of: "cargo", names: "test build check clippy run bench nextest doc tree metadata miri", program: program{effect: EffectChange, files: filesNamed, with: "--fix", otherwise: EffectRun}},
	{of: "go", names: "test build vet run install tool", program: testsOrBuilds},
	{of: "go", names: "list env version doc help", program: inspectsFiles},
	{of: "go", names: "generate fix fmt get mod work", program: changesAny},
	{of: "dotnet", names: "test build run", program: testsOrBuilds},
	{of: "swift", names: "test build run", program: testsOrBuilds},
	{of: "zig", names: "test build run", program: testsOrBuilds},
	{of: "deno", names: "test check lint bench", program: testsOrBuilds},
	{of: "bun", names: "test build", program: testsOrBuilds},

	// Formatters.
	{names: "gofmt gofumpt goimports gci golines shfmt", program: program{effect: EffectChange, files: filesNamed, with: "-w -lw -sw --write", otherwise: EffectRun, values: "-r -i -local"}},
	{names: "black", program: program{effect: EffectChange, files: filesNamed, without: "--check --diff", otherwise: EffectRun, values: "-l --line-length -t --target-version --config"}},
	{names: "isort", program: program{effect: EffectChange, files: filesNamed, without: "--check --check-only -c --diff", otherwise: EffectRun, values: "--profile"}},
	{names: "autopep8 yapf clang-format autoflake docformatter", program: program{effect: EffectChange, files: filesNamed, with: "-i --in-place", otherwise: EffectRun}},
	{names: "prettier", program: program{effect: EffectChange, files: filesNamed, with: "--write -w", otherwise: EffectRun, values: "--config --parser"}},
	{names: "rustfmt", program: program{effect: EffectChange, files: filesNamed, without: "--check", otherwise: EffectRun, values: "--edition --config"}},
	{names: "pyupgrade swiftformat ktlint dprint add-trailing-comma", program: program{effect: EffectChange, files: filesNamed}},
	{of: "ruff", names: "format", program: program{effect: EffectChange, files: filesNamed, without: "--check --diff", otherwise: EffectRun, values: "--config"}},
	{of: "ruff", names: "check", program: program{effect: EffectChange, files: filesNamed, with: "--fix --fix-only --unsafe-fixes", otherwise: EffectRun, values: "--config --select"}},
	{names: "ruff", program: program{effect: EffectChange, files: filesNamed, with: "--fix", otherwise: EffectRun, subs: true}},
	{names: "biome", program: program{effect: EffectChange, files: filesAny, with: "--write --apply --fix --apply-unsafe", otherwise: EffectRun}},
	{of: "sqlfluff", names: "fix format", program: program{effect: EffectChange, files: filesNamed, values: "--dialect -d --rules -r"}},
	{names: "sqlfluff", program: program{effect: EffectInspect, subs: true}},
	{of: "terraform", names: "fmt", program: changesAny},
	{of: "terraform", names: "validate plan", program: testsOrBuilds},
	{names: "pre-commit", program: changesAny},

	// Package managers, generators and task runners.
	{names: "npm pnpm yarn bun", program: program{do: runManager, subs: true, values: "-w --workspace --prefix -C --filter --cwd"}},
	{names: "go cargo", program: program{effect: EffectInspect, subs: true, values: "-C --manifest-path"}},
	{of: "cargo", names: "fmt", program: program{effect: EffectChange, files: filesAny, without: "--check", otherwise: EffectRun}},
	{of: "cargo", names: "add remove update fix init new install generate-lockfile vendor", program: changesAny},
	{names: "dotnet swift zig terraform", program: program{subs: true}},
	{names: "pip pip2 pip3 conda mamba poetry pipenv pdm uv rye hatch bundle gem composer brew apt apt-get yum dnf apk pacman", program: program{do: runManager, subs: true}},
	{names: "pipx nvm", program: ignoresFiles},
	{names: "mise", program: program{do: runTask, values: "-C"}},
	{names: "protoc buf sqlc swag mockgen stringer wire openapi-generator graphql-codegen codegen cookiecutter sphinx-quickstart", program: changesAny},

	// git: see shell_git.go.
	{names: "git", program: program{do: runGit}},
}
