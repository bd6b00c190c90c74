module github.com/trimkit/trimkit

go 1.25.0
