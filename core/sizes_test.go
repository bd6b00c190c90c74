package core_test

import (
	"unsafe"

	"github.com/trimkit/trimkit/core"
)

const (
	messageSize = unsafe.Sizeof(core.Message{})
	partSize    = unsafe.Sizeof(core.Part{})
)
