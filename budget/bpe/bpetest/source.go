package bpetest

// What programs write and read.

func (w *writer) goFunc() {
	name := w.name()
	w.put("// ", capital(name), " ")
	w.sentence()
	w.put("\nfunc (", name[:1], " *", capital(w.word()), ") ", capital(name), "(", w.word(), " string, ", w.name(), " []byte) (int, error) {\n")
	for range 2 + w.n(6) {
		switch w.n(5) {
		case 0:
			w.put("\t", w.name(), ", err := ", w.word(), ".", capital(w.name()), "(", w.word(), ", \"", w.word(), "\")\n")
		case 1:
			w.put("\tif err != nil {\n\t\treturn 0, fmt.Errorf(\"", w.word(), " ", w.word(), " %q: %w\", ", w.name(), ", err)\n\t}\n")
		case 2:
			w.put("\tfor i := range len(", w.name(), ") {\n\t\t", w.name(), "[i] += ", w.number(), "\n\t}\n")
		case 3:
			w.put("\t// ")
			w.sentence()
			w.put("\n")
		case 4:
			w.put("\t", w.name(), " := map[string]", w.pick("int", "bool", "float64"), "{\"", w.word(), "\": ", w.number(), "}\n")
		}
	}
	w.put("\treturn len(", w.name(), "), nil\n}\n\n")
}

func (w *writer) pythonFunc() {
	snake := func() string { return w.word() + "_" + w.word() }
	w.put("def ", snake(), "(self, ", w.word(), ": str, ", snake(), "=None) -> dict:\n    \"\"\"")
	w.sentence()
	w.put("\"\"\"\n")
	for range 2 + w.n(6) {
		switch w.n(4) {
		case 0:
			w.put("    self.", snake(), " = ", w.word(), "[", w.number(), ":]\n")
		case 1:
			w.put("    for ", w.word(), " in range(len(", snake(), ")):\n        yield f\"{", w.word(), "!r}: {", snake(), ":.2f}\"\n")
		case 2:
			w.put("    if not ", snake(), ":\n        raise ValueError('", w.word(), " ", w.word(), "')  # ")
			w.sentence()
			w.put("\n")
		case 3:
			w.put("    ", w.word(), ".append(", capital(w.word()), capital(w.word()), "(", w.word(), "=", w.number(), "))\n")
		}
	}
	w.put("    return {'", w.word(), "': ", snake(), "}\n\n\n")
}

func (w *writer) jsonLine() {
	w.put(`{"id":"`)
	for range 8 {
		w.put(w.pick("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f"))
	}
	w.put(`","`, w.word(), `":`, w.number(), `,"`, w.name(), `":{"`, w.word(), `":"`, w.word(), ` `, w.word(), `","`, w.word(), `_`, w.word(), `":[`)
	w.put(w.number(), ",", w.number(), ".", w.number(), `],"ok":`, w.pick("true", "false", "null"), `},"path":"/`, w.word(), `/`, w.word(), `.`, w.pick("go", "json", "ts"), `","text":"`)
	w.sentence()
	w.put(`\n"}`, "\n")
}

func (w *writer) shellLine() {
	switch w.n(6) {
	case 0:
		w.put("$ ls -la ", w.word(), "/", w.word(), "\n")
	case 1:
		w.put("-rw-r--r--  1 root staff ", w.number(), " Nov ", w.number(), " 12:", w.number(), " ", w.name(), ".", w.pick("go", "txt", "md"), "\n")
	case 2:
		w.put("./", w.word(), "/", w.word(), ".go:", w.number(), ":", w.number(), ": undefined: ", w.name(), "\n")
	case 3:
		w.put("[2026-01-", w.number(), "T10:", w.number(), "Z] ", w.pick("INFO", "WARN", "ERROR"), "  ", w.word(), "=", w.number(), " ", w.word(), "=\"", w.word(), "\"\n")
	case 4:
		w.put("ok  \texample.com/", w.word(), "/", w.word(), "\t0.", w.number(), "s\n")
	case 5:
		w.put("grep -rn \"", w.word(), "\" --include='*.go' | awk '{print $", w.number(), "}' > /tmp/", w.word(), ".log 2>&1\n")
	}
}

func (w *writer) htmlElement() {
	switch w.n(4) {
	case 0:
		w.put("    <div class=\"", w.word(), "-", w.word(), " ", w.word(), "\" id=\"", w.word(), w.number(), "\">\n      <p>")
		w.sentence()
		w.put("</p>\n    </div>\n")
	case 1:
		w.put("<a href=\"https://example.com/", w.word(), "/", w.word(), "?", w.word(), "=", w.number(), "&amp;", w.word(), "=1\">", w.word(), "</a>\n")
	case 2:
		w.put("      <li><span style=\"color:#", w.number(), ";margin:0 ", w.number(), "px\">", w.word(), "&nbsp;", w.number(), "</span></li>\n")
	case 3:
		w.put("<td>", w.number(), "</td><td>", capital(w.word()), "</td><!-- ", w.word(), " -->\n")
	}
}

func (w *writer) change() {
	if w.chance(10) {
		w.put("\n## [", w.number(), ".", w.number(), ".0] - 2026-0", w.number(), "\n\n### ", w.pick("Added", "Fixed", "Changed"), "\n\n")
	}
	w.put("- **", w.word(), ":** ")
	w.sentence()
	w.put(" ([#", w.number(), "](https://example.com/", w.word(), "/issues/", w.number(), ")), closes `", w.name(), "`\n")
}

func (w *writer) base64Line() {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for range 76 {
		w.WriteByte(digits[w.n(64)])
	}
	w.put("\n")
}
