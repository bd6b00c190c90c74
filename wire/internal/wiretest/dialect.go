package wiretest

import "strings"

// Dialect is how a format says what every format can say, as templates: $ stands for what
// the comment names, and $id for the id of a call. A raw text is what stands between the
// quotes of a JSON string.
type Dialect struct {
	User, Reply string // a message of a raw text
	Added       string // the user's, as Write writes one that an edit inserted

	Texts, Text     string   // a message of the user's parts, and a part of a raw text
	Calls, Call     string   // a message of calls, and a call; no message: a call is one
	Results, Result string   // a message of results, and a result of a raw text; no message: a result is one
	Empty           []string // messages of a result without content, in each of the ways to say so
	Interim         string   // a message of a result with more to come, of a raw text; optional

	Arguments []string          // messages of unsigned reasoning, and of ArgsCall
	ArgsCall  string            // a call with the id "c", of JSON
	Args      map[string]string // JSON of arguments, broken ones too → the part's text

	Picture string   // a message of the user's: a text, and a PNG of base64
	Shown   string   // a message of a result that has such a PNG
	Thought []string // a reply of the text "said" with unsigned reasoning of a raw text
	Sealed  []string // a reply with signed reasoning, of Seal
	Seal    string   // signed reasoning
}

func fill(template, with string) string { return strings.Replace(template, "$", with, 1) }

func fillID(template, id string) string { return strings.Replace(template, "$id", id, 1) }

func fillAll(templates []string, with string) []string {
	list := make([]string, len(templates))
	for i, t := range templates {
		list[i] = fill(t, with)
	}
	return list
}

func (d *Dialect) user(raw string) string         { return fill(d.User, raw) }
func (d *Dialect) reply(raw string) string        { return fill(d.Reply, raw) }
func (d *Dialect) added(raw string) string        { return fill(d.Added, raw) }
func (d *Dialect) picture(base64 string) string   { return fill(d.Picture, base64) }
func (d *Dialect) thought(raw string) []string    { return fillAll(d.Thought, raw) }
func (d *Dialect) sealed() []string               { return fillAll(d.Sealed, d.Seal) }
func (d *Dialect) shown(id, base64 string) string { return fill(fillID(d.Shown, id), base64) }
func (d *Dialect) interim(raw, id string) string  { return fill(fillID(d.Interim, id), raw) }

func (d *Dialect) texts(raws ...string) string {
	parts := make([]string, len(raws))
	for i, raw := range raws {
		parts[i] = fill(d.Text, raw)
	}
	return fill(d.Texts, strings.Join(parts, ", "))
}

func (d *Dialect) calls(ids ...string) []string { return joined(d.Calls, d.Call, "", ids) }

func (d *Dialect) results(raw string, ids ...string) []string {
	return joined(d.Results, d.Result, raw, ids)
}

// arguments returns the messages of a call with arguments, and the call.
func (d *Dialect) arguments(json string) (messages []string, call string) {
	call = fill(d.ArgsCall, json)
	return fillAll(d.Arguments, call), call
}

// joined returns a message of something for each id, or something for each.
func joined(message, one, raw string, ids []string) []string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = fill(fillID(one, id), raw)
	}
	if message == "" {
		return list
	}
	return []string{fill(message, strings.Join(list, ","))}
}
