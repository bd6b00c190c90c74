//go:build !(darwin || linux)

package archivetest

import "errors"

const limitsFiles = false

func limitFiles(uint64) error { return errors.ErrUnsupported }
