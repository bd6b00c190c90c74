// Package coretest holds the laws of trimkit as a test suite, and generators of histories
// to run it on, like testing/fstest for file systems.
//
// A package that makes a [core.Transformer] needs one call:
//
//	func TestLaws(t *testing.T) {
//		coretest.Run(t, coretest.Subject{
//			Name: "oldest first",
//			New: func(c coretest.Case) core.Transformer {
//				return core.Transform(oldest, core.WithTarget(c.Limit),
//					core.WithProfile(c.Profile), core.WithSizer(coretest.Counter))
//			},
//			Profiles: core.Profiles(),
//		})
//	}
//
// and three lines for a fuzz target, see [Fuzz].
//
// The judge shares no code with [core.Apply]: it derives pairs, groups, protection, bytes
// and tokens by itself, in the slow way that is easy to read. From core it takes the data
// model, [core.Check] for what a provider refuses, and the text that begins a marker.
//
// A law that is broken is reported with the seed of its case and with the smallest history
// found that still breaks it. Every law counts the checks in which it had something to say;
// too few of them fail the suite, since a law that was never put to the test is not kept
// but unknown. A law that a subject does not promise is a skipped subtest.
package coretest
