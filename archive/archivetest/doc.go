// Package archivetest is the contract of an [archive.Store] as a test suite, like
// testing/fstest for file systems. A store needs one call:
//
//	func TestStore(t *testing.T) {
//		archivetest.Run(t, archivetest.Harness{Open: open, Persistent: true})
//	}
//
// Of a persistent store it also starts processes, by running the test binary again with the
// name of the calling test: they are killed in the middle of a put, write beside each other, and
// run out of disk. And it flips bytes in the store's files, which must be noticed.
//
// TRIMKIT_SOAK set to anything makes it thorough: 200 kills for 20, 1 GiB for 64 MiB.
package archivetest
