package diffs

import "testing"

func TestShellEffects_Programs(t *testing.T) {
	checkLines(t, "/w", []lineCase{
		{"ls -la", EffectInspect, ""},
		{"find . -name '*.go'", EffectInspect, ""},
		{"grep -rn foo src | head -20", EffectInspect, ""},
		{"rg -n foo; wc -l a.go", EffectInspect, ""},
		{"echo hi", EffectNone, ""},
		{"go test ./... 2>&1 | tail -50", EffectRun, ""},
		{"go build ./... && go vet ./...", EffectRun, ""},
		{"python -m pytest tests -x -q", EffectRun, ""},
		{"PYTHONPATH=src pytest", EffectRun, ""},
		{"python -m django test app --settings=x", EffectRun, ""},
		{"python manage.py makemigrations", EffectChange, "touch *!"},
		{"python tests/runtests.py admin_views", EffectRun, ""},
		{"npm test", EffectRun, ""},
		{"npm run check 2>&1 | tail -5", EffectRun, ""},
		{"npm run lint:fix", EffectChange, "touch *!"},
		{"npm install", EffectChange, "touch *!"},
		{"npm ls", EffectInspect, ""},
		{"yarn build", EffectRun, ""},
		{"pnpm add x", EffectChange, "touch *!"},
		{"npx tsc --noEmit", EffectRun, ""},
		{"npx prettier --write src/a.ts", EffectChange, "touch /w/src/a.ts!"},
		{"npx prettier --check src", EffectRun, ""},
		{"npx eslint --fix src/", EffectChange, "touch *!"},
		{"npx eslint src/a.ts", EffectRun, ""},
		{"cargo test", EffectRun, ""},
		{"cargo add serde", EffectChange, "touch *!"},
		{"cargo fmt", EffectChange, "touch *!"},
		{"cargo fmt --check", EffectRun, ""},
		{"go get example.com/x@latest", EffectChange, "touch *!"},
		{"go mod tidy", EffectChange, "touch *!"},
		{"go generate ./...", EffectChange, "touch *!"},
		{"go list ./...", EffectInspect, ""},
		{"gofmt -w a.go b.go", EffectChange, "touch /w/a.go!; touch /w/b.go!"},
		{"gofmt -l .", EffectRun, ""},
		{"black src/a.py", EffectChange, "touch /w/src/a.py!"},
		{"black --check .", EffectRun, ""},
		{"ruff check --fix a.py", EffectChange, "touch /w/a.py!"},
		{"ruff check .", EffectRun, ""},
		{"ruff format .", EffectChange, "touch *!"},
		{"isort a.py", EffectChange, "touch /w/a.py!"},
		{"clang-format -i a.c", EffectChange, "touch /w/a.c!"},
		{"make", EffectChange, "touch *!"},
		{"make test", EffectRun, ""},
		{"make -j4 fmt", EffectChange, "touch *!"},
		{"mise run test:ci 2>&1 | tail -50", EffectRun, ""},
		{"mise run fmt && mise run lint", EffectChange, "touch *!"},
		{"mvn -q test", EffectRun, ""},
		{"./gradlew build", EffectRun, ""},
		{"tox -e py310", EffectRun, ""},
		{"pip install -e .", EffectChange, "touch *!"},
		{"pip list", EffectInspect, ""},
		{"apt-get update && apt-get install -y jq", EffectChange, "touch *!"},
		{"protoc --go_out=. a.proto", EffectChange, "touch *!"},
		{"sqlfluff fix a.sql --dialect ansi -f", EffectChange, "touch /w/a.sql!"},
		{"gh pr view 1 --json title", EffectNone, ""},
		{"black --help", EffectInspect, ""},
	})
}

func TestShellEffects_Wrappers(t *testing.T) {
	checkLines(t, "/w", []lineCase{
		{"sudo -u root cat a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 1-0"},
		{"env X=1 Y=2 cat a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 1-0"},
		{"timeout -k 5 60 go test ./...", EffectRun, ""},
		{"nohup nice -n 5 rm a.go", EffectChange, "delete /w/a.go!"},
		{"command -v go", EffectNone, ""},
		{"poetry run pytest", EffectRun, ""},
		{"uv run --with x black a.py", EffectChange, "touch /w/a.py!"},
		{"/usr/bin/cat a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 1-0"},
		{"bash -c 'cat a.go'", EffectInspect, "read /w/a.go!; prints /w/a.go 1-0"},
		{"bash -lc 'cd sub && rm a.go' && cat b.go", EffectChange, "delete /w/sub/a.go!; read /w/b.go!; prints /w/b.go 1-0"},
		{"bash -lc \"rm a.go; cat b.go\"", EffectChange, "delete /w/a.go; read /w/b.go!; prints /w/b.go 1-0"},
		{"sh <<'EOF'\nrm a.go\nEOF", EffectChange, "delete /w/a.go!"},
		{"eval 'cd sub' && cat a.go", EffectInspect, "read /w/sub/a.go!; prints /w/sub/a.go 1-0; in /w/sub"},
		{"bash -c \"bash -c \\\"sh -c 'rm a.go'\\\"\"", EffectChange, "delete /w/a.go!"},
	})
}

func TestShellEffects_Scripts(t *testing.T) {
	checkLines(t, "/w", []lineCase{
		{"python foo.py", EffectNone, "runs /w/foo.py"},
		{"./run.sh --verbose", EffectNone, "runs /w/run.sh"},
		{"node x.js", EffectNone, "runs /w/x.js"},
		{"python fix_imports.py", EffectChange, "touch *!; runs /w/fix_imports.py"},
		{"python test_fix.py", EffectNone, "runs /w/test_fix.py"},
		{"python -c 'print(1)'", EffectNone, ""},
		{"python -c \"open('a.txt', 'w').write('x')\"", EffectChange, "touch /w/a.txt?!"},
		{"python -c \"print(open('a.txt').read())\"", EffectNone, ""},
		{"python - <<'EOF'\nfrom pathlib import Path\nPath('a.txt').write_text('x')\nEOF", EffectChange, "touch /w/a.txt?!"},
		{"python3 - <<'EOF'\npath = 'a.py'\nwith open(path) as f:\n    s = f.read()\nwith open(path, 'w') as f:\n    f.write(s)\nEOF", EffectChange, "touch /w/a.py?!"},
		{"python3 <<'EOF'\nfrom pathlib import Path\np = Path('a.py')\np.write_text(p.read_text())\nEOF", EffectChange, "touch /w/a.py?!"},
		{"python3 - <<'EOF'\nimport sys\nopen(sys.argv[1], 'w').write('x')\nEOF", EffectChange, "touch *!"},
		{"node -e \"require('fs').writeFileSync('a.txt', 'x')\"", EffectChange, "touch /w/a.txt?!"},
		{"cat > fix.py <<'EOF'\nopen('a.py', 'w').write('x')\nEOF\npython fix.py", EffectChange, `write /w/fix.py "open('a.py', 'w').write('x')"; touch /w/a.py?!`},
		{"cat > t.py <<'EOF'\nprint(1)\nEOF\npython t.py", EffectChange, `write /w/t.py "print(1)"`},
	})
}

func TestShellEffects_NotUnderstood(t *testing.T) {
	checkLines(t, "/w", []lineCase{
		{"for f in *.go; do cat $f; done", EffectInspect, ""},
		{"for f in *.go; do sed -i 's/a/b/' $f; done", EffectChange, "touch *"},
		{"if [ -f a ]; then rm a; fi", EffectChange, "touch *"},
		{"echo $(date) > log", EffectChange, "touch *"},
		{"echo $(git rev-parse HEAD) 2>/dev/null", EffectInspect, ""},
		{"(cd sub && go test ./...)", EffectRun, "in ?"},
		{"echo 'unclosed", EffectNone, ""},
	})
}
