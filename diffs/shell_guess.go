package diffs

import (
	"regexp"
	"strings"
)

// redirectsOut is what in an unparsed line looks like writing into a file.
var redirectsOut = regexp.MustCompile(`(^|[^<>=&\-0-9$])[0-9]?>{1,2}\|?\s*([^\s&>=|;()]+)`)

// guess is for a line that is not understood: if a word in it is the name of a program that
// changes files, or it looks like writing into one, any file may have changed. Where it ends
// is not known if it changes its folder.
func guess(line, dir string) lineEffects {
	f := follower{sh: plainShell, depth: maxShellDepth, folder: folder{dir: dir}, nested: true, scripts: map[string]string{}, unread: scriptsPerLine * len(line)}
	for _, m := range redirectsOut.FindAllStringSubmatch(line, -1) {
		if !strings.HasPrefix(m[2], "/dev/") {
			f.touchAny()
		}
	}
	for command := range splitRoughly(line) {
		var words []Word
		for field := range strings.FieldsSeq(command) {
			if len(words) == 0 && (reserved[field] || isAssignment(field) || strings.ContainsAny(field, "<>")) {
				continue
			}
			words = append(words, Word{Text: strings.Trim(field, `"'`), Literal: true})
		}
		if len(words) == 0 {
			continue
		}
		f.run(words, stream{})
	}
	if len(scriptEvents(line, dir)) > 0 {
		f.touchAny()
	}
	fx := lineEffects{effect: f.done.effect, dir: f.dir}
	if f.done.effect == EffectChange {
		fx.events, fx.exit = []Event{{Op: Touch}}, []bool{false}
	}
	return fx
}

// splitRoughly splits a line wherever a command could begin.
func splitRoughly(line string) func(func(string) bool) {
	return strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune("\n;|&()`{}", r) })
}

// withoutMessages takes the here-documents out of a line that only become a word of it, as
// in git commit -m "$(cat <<'EOF' ...)": they are prose, and without them a line is often a
// plain one.
func withoutMessages(line string) string {
	var b strings.Builder
	for {
		m := messageBegins.FindStringSubmatchIndex(line)
		if m == nil {
			return b.String() + line
		}
		delimiter := line[m[2]:m[3]]
		_, rest, found := strings.Cut(line[m[1]-1:], "\n"+delimiter+"\n")
		if rest = strings.TrimLeft(rest, " \t\n"); !found || !strings.HasPrefix(rest, ")") {
			return b.String() + line
		}
		b.WriteString(line[:m[0]] + "$MESSAGE")
		line = rest[1:]
	}
}

var messageBegins = regexp.MustCompile(`\$\(cat <<-?\s*['"\\](\w+)['"]?\n`)
