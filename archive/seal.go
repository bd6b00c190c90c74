package archive

import (
	"bytes"
	"compress/flate"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"sync"
)

// A sealed record begins with a byte of these flags. An encrypted one goes on with the id of
// its key and a nonce. Under the encryption, if any, stands the length of what was encoded,
// and that, compressed if it pays.
const (
	sealed     = 1 << 4 // always set: the version of this format
	compressed = 1 << 0
	encrypted  = 1 << 1

	keyIDBytes = 4
	maxRecord  = 1 << 30 // bytes of a record before compression
)

// sealer turns encoded records into what stores hold. A nil aead does not encrypt.
type sealer struct {
	aead  cipher.AEAD
	keyID [keyIDBytes]byte
}

func newSealer(key []byte) (*sealer, error) {
	if key == nil {
		return &sealer{}, nil
	}
	if len(key) != 32 {
		return nil, &InvalidError{"a key of AES-256 has 32 bytes"}
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	s := &sealer{}
	if s.aead, err = cipher.NewGCM(block); err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("trimkit key id"))
	copy(s.keyID[:], mac.Sum(nil))
	return s, nil
}

var deflaters = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant that flate knows
	}
	return w
}}

// seal returns what a store is given. The id and the scope are bound to it where it is encrypted.
func (s *sealer) seal(scope Scope, id string, plain []byte) ([]byte, error) {
	if len(plain) > maxRecord {
		return nil, &InvalidError{"a record has at most 1 GiB"}
	}
	flags := byte(sealed)
	body := binary.AppendUvarint(make([]byte, 0, len(plain)+16), uint64(len(plain)))
	head := len(body)
	if len(plain) > 64 {
		packed := bytes.NewBuffer(body)
		w, ok := deflaters.Get().(*flate.Writer)
		if ok {
			w.Reset(packed)
			_, err := w.Write(plain)
			if err == nil {
				err = w.Close()
			}
			deflaters.Put(w)
			if err == nil && packed.Len()-head < len(plain) {
				flags |= compressed
				body = packed.Bytes()
			}
		}
	}
	if flags&compressed == 0 {
		body = append(body[:head], plain...)
	}
	if s.aead == nil {
		return append([]byte{flags}, body...), nil
	}
	flags |= encrypted
	out := append([]byte{flags}, s.keyID[:]...)
	nonce := make([]byte, s.aead.NonceSize())
	rand.Read(nonce) // never fails
	out = append(out, nonce...)
	return s.aead.Seal(out, nonce, body, bound(flags, scope, id)), nil
}

// open returns what seal was given, or a [*KeyError] or [*CorruptError].
func (s *sealer) open(scope Scope, id string, data []byte) ([]byte, error) {
	corrupt := func(detail string) ([]byte, error) { return nil, &CorruptError{ID: id, Detail: detail} }
	if len(data) == 0 || data[0]&^(compressed|encrypted) != sealed {
		return corrupt("it does not begin as a record does")
	}
	flags, body := data[0], data[1:]
	switch {
	case flags&encrypted == 0 && s.aead != nil:
		return nil, &KeyError{id, "is not encrypted, and the archive has a key"}
	case flags&encrypted != 0:
		if s.aead == nil {
			return nil, &KeyError{id, "is encrypted, and the archive has no key"}
		}
		n := keyIDBytes + s.aead.NonceSize()
		if len(body) < n {
			return corrupt("it is cut off")
		}
		if !bytes.Equal(body[:keyIDBytes], s.keyID[:]) {
			return nil, &KeyError{id, "is encrypted with another key"}
		}
		var err error
		if body, err = s.aead.Open(nil, body[keyIDBytes:n], body[n:], bound(flags, scope, id)); err != nil {
			return corrupt("its ciphertext is not authentic")
		}
	}
	size, n := binary.Uvarint(body)
	if n <= 0 || size > maxRecord {
		return corrupt("its length is none")
	}
	body = body[n:]
	if flags&compressed == 0 {
		if uint64(len(body)) != size {
			return corrupt("its length is another one")
		}
		return body, nil
	}
	plain, err := inflate(body, int64(size))
	if err != nil || uint64(len(plain)) != size {
		return nil, &CorruptError{ID: id, Detail: "it does not decompress to its length", Err: err}
	}
	return plain, nil
}

var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// inflate decompresses up to one byte more than so many.
func inflate(body []byte, size int64) ([]byte, error) {
	r, ok := inflaters.Get().(io.Reader)
	if reset, is := r.(flate.Resetter); !ok || !is || reset.Reset(bytes.NewReader(body), nil) != nil {
		r = flate.NewReader(bytes.NewReader(body))
	}
	defer inflaters.Put(r)
	var plain bytes.Buffer
	_, err := io.Copy(&plain, io.LimitReader(r, size+1))
	return plain.Bytes(), err
}

// bound is what a ciphertext is authenticated with beside itself.
func bound(flags byte, scope Scope, id string) []byte {
	return append(append([]byte{flags}, scope[:]...), id...)
}
