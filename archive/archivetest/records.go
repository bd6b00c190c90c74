package archivetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/trimkit/trimkit/archive"
)

// record makes a record whose every field follows from its id and size.
func record(id string, size int) archive.Record {
	sum := sha256.Sum256([]byte(id))
	data := make([]byte, size)
	dice := rand.NewChaCha8(sum)
	_, _ = dice.Read(data) // never fails
	return archive.Record{
		Head: archive.Head{
			ID: id, Kind: archive.KindEntry + archive.Kind(sum[0]%2), Digest: sum, Order: int64(sum[1]), Time: int64(1 + sum[2]), Size: int64(size),
		},
		Data: data,
	}
}

// records makes so many of them, of one batch.
func records(batch string, n, size int) []archive.Record {
	list := make([]archive.Record, n)
	for i := range list {
		list[i] = record(fmt.Sprintf("%s-%d", batch, i), size)
	}
	return list
}

func ids(list []archive.Record) []string {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].ID
	}
	return names
}

var alpha, beta = archive.ScopeOf("alpha"), archive.ScopeOf("beta")

// same compares two records in everything.
func same(a, b *archive.Record) bool { return a.Head == b.Head && bytes.Equal(a.Data, b.Data) }

// expect returns an error unless the store returns exactly these records for their ids.
func expect(ctx context.Context, store archive.Store, scope archive.Scope, want []archive.Record) error {
	got, err := store.Get(ctx, scope, ids(want)...)
	if err != nil {
		return fmt.Errorf("get: %w", err)
	}
	if len(got) != len(want) {
		return fmt.Errorf("get: %d records for %d stored ones", len(got), len(want))
	}
	for i := range want {
		if !same(&got[i], &want[i]) {
			return fmt.Errorf("get: record %s came back as %s with other content or in another place", want[i].ID, got[i].ID)
		}
	}
	return nil
}

// absent returns an error if any of the records is stored, or listed.
func absent(ctx context.Context, store archive.Store, scope archive.Scope, list []archive.Record) error {
	got, err := store.Get(ctx, scope, ids(list)...)
	if err != nil {
		return fmt.Errorf("get: %w", err)
	}
	if len(got) > 0 {
		return fmt.Errorf("get: record %s is there and must not be", got[0].ID)
	}
	heads, err := listAll(ctx, store, scope, 100)
	if err != nil {
		return err
	}
	for _, h := range heads {
		for i := range list {
			if h.ID == list[i].ID {
				return fmt.Errorf("list: record %s is there and must not be", h.ID)
			}
		}
	}
	return nil
}

// listAll walks through a list.
func listAll(ctx context.Context, store archive.Store, scope archive.Scope, limit int) ([]archive.Head, error) {
	var all []archive.Head
	var after archive.Cursor
	for {
		page, err := store.List(ctx, scope, after, limit)
		if err != nil {
			return nil, fmt.Errorf("list: %w", err)
		}
		if len(page) > limit {
			return nil, fmt.Errorf("list: %d records on a page of %d", len(page), limit)
		}
		for i := range page {
			if !after.Before(&page[i]) {
				return nil, fmt.Errorf("list: record %s is not in its order", page[i].ID)
			}
			after = archive.Cursor{Order: page[i].Order, ID: page[i].ID}
		}
		all = append(all, page...)
		if len(page) < limit {
			return all, nil
		}
	}
}

var errNone = errors.New("there is none")

// orNone names an error that is not there.
func orNone(err error) error {
	if err == nil {
		return errNone
	}
	return err
}

// is returns an error unless err is of type E.
func is[E error](err error, when string) error {
	if target := *new(E); !errors.As(err, &target) {
		return fmt.Errorf("%s: the error is of type %T, not %T: %w", when, err, target, orNone(err))
	}
	return nil
}
