package budget

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"fmt"

	"github.com/trimkit/trimkit/core"
)

// StateError says why a saved state was not used. Nothing is lost by that: the history is
// taken in anew.
type StateError struct {
	Detail string // what was expected and what was found
	Err    error  // of the decoding, if it was that
}

// Error gives the detail.
func (e *StateError) Error() string {
	if e.Err != nil {
		return "budget: saved state: " + e.Detail + ": " + e.Err.Error()
	}
	return "budget: saved state: " + e.Detail
}

// Unwrap returns the failure of the decoding.
func (e *StateError) Unwrap() error { return e.Err }

// saved is a state as it is stored. Of the history it has a hash, and of the view what the
// history does not have.
type saved struct {
	Version int
	Config  [sha256.Size]byte
	Key     string
	Step    Step
	N       int
	Hash    [sha256.Size]byte
	Index   []int32
	Left    []departure
	Edited  map[int]core.Message // by place in the view: messages that are not the history's own
	Wait    int
	Rest    int
	Crowd   int
	Full    int
	Missed  bool
	Stuck   bool
	Heavy   bool
	Manual  bool
	Count   int
}

const savedVersion = 2

// State returns what the Enforcer knows of a history, for [Enforcer.Restore] in another
// process. It holds the texts of edited messages, markers and all, and hashes of the rest.
// It is not needed for equal views, but for [Enforcer.Collect] and for calibration, which
// are no functions of the history; and it saves taking the history in.
func (e *Enforcer) State(history []core.Message, conversation string) ([]byte, error) {
	found := e.folds.find(conversation, history)
	f, n := found.longest().fold, found.longest().common
	if f == nil {
		return nil, &StateError{Detail: "nothing is known of this history; transform it first"}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	at := state{}
	if i := f.back(n, f.step); i >= 0 {
		at = f.past[i]
	}
	s := saved{
		Version: savedVersion, Config: e.fingerprint(), Key: f.key, Step: f.step, N: at.n, Hash: hash(f.seen[:at.n]),
		Index: at.index, Left: at.left.all(), Edited: make(map[int]core.Message), Wait: at.wait, Rest: at.rest,
		Crowd: at.crowd, Full: at.full, Missed: at.missed, Stuck: at.stuck, Heavy: at.heavy, Manual: at.manual, Count: at.edited,
	}
	for i, raw := range at.index {
		if raw < 0 || !equal(&at.view[i], &f.seen[raw]) {
			s.Edited[i] = at.view[i]
		}
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(&s); err != nil {
		return nil, fmt.Errorf("budget: save state: %w", err)
	}
	sum := sha256.Sum256(b.Bytes())
	return append(sum[:], b.Bytes()...), nil
}

// Restore takes up a state of the history's beginning. Its error is a [*StateError] if the
// state is damaged, of another version or configuration, or of another history; then the
// Enforcer is as it was.
func (e *Enforcer) Restore(history []core.Message, data []byte) error {
	s, err := e.decode(history, data)
	if err != nil {
		return err
	}
	f := e.newFold(s.Key, s.Step, history)
	for i := range s.N {
		f.add(&history[i])
	}
	if s.Count > 0 {
		view, err := s.view(f.seen)
		if err != nil {
			return err
		}
		f.now.view, f.now.index, f.now.left = view, s.Index, &departures{list: s.Left}
		f.now.gone = f.now.left.messages()
		f.now.tokens = e.meter.History(view)
		f.measure()
		f.now.wait, f.now.rest, f.now.crowd, f.now.full, f.now.edited = s.Wait, s.Rest, s.Crowd, s.Full, s.Count
		f.now.missed, f.now.stuck, f.now.heavy, f.now.manual = s.Missed, s.Stuck, s.Heavy, s.Manual
		f.remember()
	}
	f.extend(history) // what is behind it, so that this fold is the one that shares most
	e.folds.use(f)
	return nil
}

// view makes the view again, of its history as far as it goes, and checks that it and what has
// left it are of one piece.
func (s *saved) view(history []core.Message) ([]core.Message, error) {
	view, last := make([]core.Message, len(s.Index)), int32(-1)
	lost := make(map[int32]int)
	for _, d := range s.Left {
		if d.Msg < 0 || int(d.Msg) >= s.N || d.Of < 0 || int(d.Of) >= s.N || int(d.Part) >= len(history[d.Msg].Parts)-lost[d.Msg] {
			return nil, &StateError{Detail: fmt.Sprintf("has no part %d of message %d that could have left", d.Part, d.Msg)}
		}
		if d.Part >= 0 {
			lost[d.Msg]++
		}
	}
	for i, raw := range s.Index {
		m, edited := s.Edited[i]
		if raw < 0 && (!edited || !m.Inserted()) || raw >= 0 && (raw <= last || int(raw) >= s.N) {
			return nil, &StateError{Detail: fmt.Sprintf("has no message %d", raw)}
		}
		if view[i] = m; !edited {
			view[i] = history[raw]
		}
		if last = max(last, raw); raw >= 0 && len(view[i].Parts)+lost[raw] != len(history[raw].Parts) {
			return nil, &StateError{Detail: fmt.Sprintf("has %d parts of message %d", len(view[i].Parts), raw)}
		}
	}
	return view, nil
}

// decode reads a state and checks that it is of the history's beginning.
func (e *Enforcer) decode(history []core.Message, data []byte) (s saved, err error) {
	if len(data) < sha256.Size || sha256.Sum256(data[sha256.Size:]) != [sha256.Size]byte(data) {
		return s, &StateError{Detail: fmt.Sprintf("is damaged: the checksum of its %d bytes is another one", len(data))}
	}
	if err := gob.NewDecoder(bytes.NewReader(data[sha256.Size:])).Decode(&s); err != nil {
		return s, &StateError{Detail: "cannot be read", Err: err}
	}
	switch {
	case s.Version != savedVersion:
		return s, &StateError{Detail: fmt.Sprintf("is of version %d, this is %d", s.Version, savedVersion)}
	case s.Config != e.fingerprint():
		return s, &StateError{Detail: "was made with other limits, marks, rungs or another profile"}
	case s.N < 0 || s.N > len(history) || hash(history[:s.N]) != s.Hash:
		return s, &StateError{Detail: fmt.Sprintf("is of another history, or of more than these %d messages", len(history))}
	case s.Step.Calibration < 0 || s.Step.Calibration >= len(calibrations):
		return s, &StateError{Detail: fmt.Sprintf("has the unknown calibration %d", s.Step.Calibration)}
	}
	return s, nil
}

// fingerprint is of what in the configuration decides, as far as it can be told: of functions
// only whether they are there, of rungs their names.
func (e *Enforcer) fingerprint() [sha256.Size]byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%v %v %v %t %d %t %t %s", e.limits, e.marks, e.eligible, e.classify != nil, len(e.surveys), e.ask != nil, e.notice, e.ladder.Name)
	for _, r := range e.ladder.Rungs {
		fmt.Fprintf(&b, " %s", r.Name)
	}
	if e.profile != nil {
		fmt.Fprintf(&b, " %s", e.profile.Name)
	}
	return sha256.Sum256(b.Bytes())
}

// hash is of everything in messages that decides.
func hash(history []core.Message) (sum [sha256.Size]byte) {
	h := sha256.New()
	for i := range history {
		m := &history[i]
		fmt.Fprintf(h, "%d %d %d %d %q %d\n", m.Role, m.Policy, m.Src, m.Reply, m.Name, len(m.Parts))
		if m.Meta != nil {
			fmt.Fprintf(h, "%q %v %q\n", m.Meta.ID, m.Meta.Time.UnixNano(), m.Meta.Labels)
		}
		for p := range m.Parts {
			part := &m.Parts[p]
			fmt.Fprintf(h, "%d %d %t %d %q %q %d:%s\n", part.Kind, part.Status, part.Signed, part.Slot, part.CallID, part.Tool, len(part.Text), part.Text)
			if md := part.Media; md != nil {
				fmt.Fprintf(h, "%q %q %d %d %d:%s %d:%s\n", md.MIME, md.Detail, md.Width, md.Height, len(md.URL), md.URL, len(md.Data), md.Data)
			}
			if el := part.Elided; el != nil {
				fmt.Fprintf(h, "%v\n", *el)
			}
		}
	}
	h.Sum(sum[:0])
	return sum
}
