// Package dropin puts a [core.Transformer] in front of every model call that leaves a program
// over HTTP, whatever SDK or framework makes it:
//
//	client := &http.Client{Transport: dropin.Transport(http.DefaultTransport, kit)}
//
// It knows the requests of four APIs by their paths: OpenAI's chat completions
// (.../chat/completions) and responses (.../responses), Anthropic's messages
// (.../v1/messages), Gemini's generateContent and streamGenerateContent. Every other request,
// and one whose body it cannot read, goes out as it is. A body without an edit goes out byte
// for byte, and so does every message without one.
//
// It guarantees every call of the client whose transport it is. It cannot see what a
// provider keeps on its side: a request of the Responses API that goes on from a
// previous_response_id holds only what is new. It does not read replies either, so the
// provider's own count reaches the transformer only by way of a refusal for length, upon
// which it tries once more with a smaller view.
package dropin
