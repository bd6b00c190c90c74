package coretest

// Law is one of the laws of trimkit.
type Law struct {
	Number int
	Name   string
	Rule   string // in one sentence

	// lacks says what the subject does not have without which the law means nothing.
	lacks func(*Subject) string
	// check judges a trial. put reports whether the law was put to the test by it.
	check func(*trial) (put bool, err error)
}

// Laws returns the laws that [Run] checks. Law 10, that what left can be read back, is not
// among them: it takes an archive.
func Laws() []Law {
	return []Law{
		{1, "pure", "Nothing of the caller's is changed, and the same history gives the same view, in any number of goroutines.", nil, pure},
		{2, "honest shape", "The view is the history in its order, minus groups, with some parts elided or shortened, and whatever was done says so.", nil, honest},
		{3, "whole pairs", "A call and its results stay or go together, parallel calls too, and open calls stay open at the end.", nil, whole},
		{4, "never grows", "An edited view has fewer tokens than the history and no more bytes, and every edited part has fewer of both.", nil, shrinks},
		{5, "protected", "What is pinned, the system's, the task, the question, unread or open stays word for word, and what is signed stays or goes as it is.", nil, verbatim},
		{6, "idempotent", "A view of a view is that view.", nil, idempotent},
		{7, "prefix-stable", "As a history grows its view grows by appending, except at a collection.", lacksCollections, stable},
		{8, "quiet", "Without an edit the very slice comes back.", nil, quiet},
		{9, "accounted", "The edits account for every token between history and view, and each names its reason.", lacksExplain, accounted},
		{11, "fail-safe", "The error of a context passes through and comes with a lawful view, and nothing panics.", nil, failSafe},
		{12, "bounded", "The view fits the limit or an error comes with it when nothing else can go, and only an empty history has an empty view.", nil, bounded},
		{13, "valid", "The provider finds nothing in the view that it would not have found in the history.", nil, valid},
	}
}

func lacksCollections(s *Subject) string {
	if s.Collections == nil {
		return "it does not tell its collections"
	}
	return ""
}

func lacksExplain(s *Subject) string {
	if s.Explain == nil {
		return "it does not explain its edits"
	}
	return ""
}

// skipped returns why the law is not judged on the subject; empty: it is.
func (l *Law) skipped(s *Subject) string {
	if reason, ok := s.Except[l.Number]; ok {
		return reason
	}
	if l.lacks != nil {
		return l.lacks(s)
	}
	return ""
}

// needs returns in how many of so many cases the law must be put to the test, when the
// subject edits in the given share of them.
func (l *Law) needs(cases int, edits float64) int {
	share := edits / 2
	switch l.Number {
	case 7:
		share = 0.2
	case 8:
		share = 0.05
	case 11:
		share = 0.5
	case 12:
		share = max(0.02, edits/2)
	}
	return int(share * float64(cases))
}
