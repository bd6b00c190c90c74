// Package sqlite keeps an archive in a SQLite database: the store to choose for a service on one
// machine, and for many conversations. It is a module of its own, since the library's programs
// must not link a database that they do not use; it needs no C compiler.
//
//	store, err := sqlite.Open("archive.db")
//	...
//	a, err := archive.New(store)
//
// It passes package archivetest. The database is in WAL mode and syncs every batch; it belongs on
// a disk of the machine, not on a network file system.
package sqlite
