package archive

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
)

// Receipt is the id under which an original can be read back: 16 characters of base32, in
// lower case, of the SHA-256 of the conversation's key and the content. Equal content in
// equal place of one conversation has one receipt, in every process.
type Receipt string

const (
	receiptBytes = 10 // 80 bits: a collision is possible, and is noticed
	receiptChars = 16
)

var base32Lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// Valid reports whether the receipt is of the right form. It does not say that there is
// such an entry.
func (r Receipt) Valid() bool {
	_, ok := r.binary()
	return ok
}

// binary returns the bytes that the receipt spells.
func (r Receipt) binary() (b [receiptBytes]byte, ok bool) {
	if len(r) != receiptChars {
		return b, false
	}
	n, err := base32Lower.Decode(b[:], []byte(r))
	return b, err == nil && n == receiptBytes && base32Lower.EncodeToString(b[:]) == string(r)
}

func receiptOf(d Digest) Receipt { return Receipt(base32Lower.EncodeToString(d[:receiptBytes])) }

// Digest is the whole hash of which a receipt shows the first part. Two records with one id
// and different digests are a collision.
type Digest [sha256.Size]byte

// digest hashes parts of which none can run into the next one.
func digest(domain string, parts ...[]byte) (d Digest) {
	h := sha256.New()
	var size [8]byte
	for _, p := range append([][]byte{[]byte(domain)}, parts...) {
		binary.LittleEndian.PutUint64(size[:], uint64(len(p)))
		h.Write(size[:])
		h.Write(p)
	}
	h.Sum(d[:0])
	return d
}

// contentDigest is the hash behind a receipt.
func contentDigest(conversation string, content []byte) Digest {
	return digest("trimkit receipt 1", []byte(conversation), content)
}

// Scope is what a store knows a conversation by: a hash of its key. Every record is in one.
type Scope [16]byte

// ScopeOf returns the scope of a conversation's key.
func ScopeOf(conversation string) (s Scope) {
	d := digest("trimkit conversation 1", []byte(conversation))
	copy(s[:], d[:])
	return s
}

// String returns the scope as 32 hexadecimal digits, which are fit for a file name.
func (s Scope) String() string { return hex.EncodeToString(s[:]) }

// ParseScope is the inverse of [Scope.String].
func ParseScope(text string) (s Scope, ok bool) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(s) || hex.EncodeToString(b) != text {
		return s, false
	}
	return Scope(b), true
}
