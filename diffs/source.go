package diffs

// source is what one part shows of one file: a copy, or the new text of an edit.
type source struct {
	file   *file
	at     Place
	call   int  // index of its call
	order  int  // position among all sources
	hidden bool // the view does not show the part
	copy   bool // it is a copy

	version int     // of the file when it was shown
	runs    int     // pieces of the file that are known from it
	by      *source // what took the last one
	newer   bool    // a later version of the file took one
	edited  bool    // a change took one
	epoch   int     // of the file when the last one went

	cover *source // see tracker.settle
}

// hold adds the run to what its owners show.
func (r *run) hold() {
	for _, o := range r.owners {
		o.runs++
	}
}

// release takes the run from its owners, because of by; nil: it goes elsewhere. An edit
// that the view does not show covers nothing: then they keep it.
func (r *run) release(by *source) {
	for _, o := range r.owners {
		o.edited = o.edited || by != nil && !by.copy
		if by != nil && by.hidden {
			continue
		}
		o.runs--
		if by != nil && by != o {
			o.by, o.newer, o.epoch = by, o.newer || by.version != o.version, o.file.epoch()
		}
	}
}

// covered returns the newest source that shows some of what this one showed, if visible
// ones show all of it, else nil. A change of unknown effect makes older text possible
// again: what another version covered before it no longer is, but by a whole copy after it.
func (s *source) covered() *source {
	f := s.file
	switch {
	case s.hidden:
		return nil
	case f.whole != nil && f.whole.order > s.order && f.wholeEpoch == f.epoch():
		return f.whole
	case s.runs == 0 && s.by != nil && (!s.newer || s.epoch == f.epoch()):
		return s.by
	}
	return nil
}
