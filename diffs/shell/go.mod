module github.com/trimkit/trimkit/diffs/shell

go 1.25.0

replace github.com/trimkit/trimkit => ../..

require (
	github.com/stretchr/testify v1.12.1
	github.com/trimkit/trimkit v0.0.0
	mvdan.cc/sh/v3 v3.13.1
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect
