module github.com/trimkit/trimkit/cmd/trimkit

go 1.25.0

require (
	github.com/alecthomas/kong v1.17.0
	github.com/rogpeppe/go-internal v1.16.0
	github.com/stretchr/testify v1.12.1
	github.com/trimkit/trimkit v0.0.0
	github.com/trimkit/trimkit/diffs/shell v0.0.0
)

require (
	github.com/dlclark/regexp2 v1.10.0 // indirect
	github.com/google/uuid v1.3.0 // indirect
	github.com/pkoukk/tiktoken-go v0.1.8 // indirect
	github.com/pkoukk/tiktoken-go-loader v0.0.2 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.42.0 // indirect
	golang.org/x/tools v0.38.0 // indirect
	mvdan.cc/sh/v3 v3.13.1 // indirect
)

replace github.com/trimkit/trimkit => ../..

replace github.com/trimkit/trimkit/diffs/shell => ../../diffs/shell
