// Package bpe counts the tokens of texts exactly, in the encodings o200k_base and
// cl100k_base, which are those of OpenAI's chat models. It needs no network, no file and
// nothing but the standard library.
//
// The vocabularies are in the packages o200k and cl100k, so that a program links only what
// it uses: 0.9 and 0.4 MB.
//
//	n := o200k.Counter().Count(text)
//	n, within := o200k.Counter().CountUpTo(text, 8000)
//
// It is not for other encodings, nor for special tokens: their names count as the ordinary
// text that they are in a message. What a message costs beside its texts, package budget
// knows.
//
// # Guarantees
//
//   - The tokens are those of the official tokenizer, tiktoken's encode_ordinary, for every
//     text. Characters are classified by Unicode 16.0.0, as its regular expressions do.
//   - A byte that is not UTF-8 counts as U+FFFD, each for itself, as encoding/json carries it.
//   - Time is proportional to the length of a text, whatever is in it, but for a logarithm
//     in texts made to defeat it.
//   - A Count of valid UTF-8 allocates nothing, once the calls before have left their memory.
//   - A Counter is safe for concurrent use.
//
// # How it works
//
// Text is split into pieces, as the encoding's pattern says, by a splitter written by hand,
// which takes the words of ASCII eight bytes at a time. Most pieces are tokens, or were
// counted lately: a cache of fixed size has up to fifteen bytes of a piece as numbers, which
// are compared, so that what it says is exact. What is left is merged by byte pair encoding
// (Sennrich, Haddow and Birch, 2016, as tiktoken applies it: the two neighbours that make
// the token of the lowest rank, the leftmost first), in one of three ways that all give the
// same tokens: up to 64 bytes by looking at all neighbours each time; longer pieces a stretch
// at a time; pieces of the scripts whose characters are mostly tokens a character at a time.
// The last two rely on a property that van Antwerpen and Neubeck describe for GitHub's Rust
// crate bpe: tokens are those of a text if and only if any two neighbours are those of the
// text that the two make up.
package bpe

//go:generate go run ./internal/gen
