module github.com/trimkit/trimkit

go 1.25.0

require github.com/stretchr/testify v1.12.1 // indirect
