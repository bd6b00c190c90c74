package dropin_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/adapters/dropin"
)

// Any SDK that takes an http.Client can have its calls fitted.
func ExampleTransport() {
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%d messages, %d KB", strings.Count(string(body), `"role"`), len(body)/1000)
	}))
	defer provider.Close()

	kit, err := trimkit.New(trimkit.Config{Model: "gpt-4o", Window: 8000})
	if err != nil {
		fmt.Println(err)
		return
	}
	client := &http.Client{Transport: dropin.Transport(nil, kit)}

	story := strings.Repeat("and then something else happened, ", 1000)
	response, err := client.Post(provider.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{"messages": [
		{"role": "user", "content": "Tell me a story."},
		{"role": "assistant", "content": "`+story+`"},
		{"role": "user", "content": "Another one."},
		{"role": "assistant", "content": "Once upon a time."},
		{"role": "user", "content": "What was the first one about?"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := io.ReadAll(response.Body)
	fmt.Println(string(answer), errors.Join(err, response.Body.Close()))
	// Output: 4 messages, 0 KB <nil>
}
