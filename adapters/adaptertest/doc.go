// Package adaptertest is what every adapter must pass: one suite, [Run], that drives a
// framework with its real clients over HTTP against a [Server] which refuses what real
// providers refuse.
//
// A Server also serves programs that want to be tried without a provider: it speaks OpenAI's
// chat completions and Anthropic's messages API, answers from a [Script], checks each request
// by the provider's profile and against a context window, and remembers all of them.
//
//	server := adaptertest.NewServer(func(r *adaptertest.Request) adaptertest.Answer {
//		return adaptertest.Answer{Text: "Hello."}
//	}, adaptertest.WithWindow(8000))
//	defer server.Close()
//	// point the client at server.URL + "/v1"
package adaptertest
