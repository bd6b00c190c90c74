package archivetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trimkit/trimkit/archive"
)

func basics() []Check {
	return []Check{
		{Name: "round trip", Rule: "What was put comes back in every field, in the order asked for, and is shared with nobody.", run: roundTrip},
		{Name: "idempotent", Rule: "A record that is stored stays as it is when it is put again.", run: idempotent},
		{Name: "collision", Rule: "Another digest under a stored id is a collision, and the stored record stays.", run: collision},
		{Name: "atomic", Rule: "Of a batch that fails nothing is stored.", run: atomic},
		{Name: "needs", Rule: "A batch is stored only if what it needs is.", run: needs},
		{Name: "apart", Rule: "A scope neither shows nor changes anything of another one.", run: apart},
		{Name: "list", Rule: "A list has every record once, by order and id, on pages of any size.", run: list},
		{Name: "delete", Rule: "What is deleted is gone, the rest stays, and deleting what is not there is no fault.", run: remove},
		{Name: "lease", Rule: "A lease is never shortened, and keeps its scope from being removed as unleased.", run: lease},
		{Name: "catalog", Rule: "Every scope is listed once, with its numbers.", run: catalog},
		{Name: "hostile ids", Rule: "Any text may be asked for, and only what is an id is stored.", run: hostile},
		{Name: "context", Rule: "A context that has ended passes through, and nothing was stored.", run: cancelled},
		{Name: "concurrent", Rule: "Any number of goroutines may use a store.", run: concurrent},
		{Name: "compact", Rule: "Compacting changes nothing that can be read.", run: compact},
		{Name: "volume", Rule: "Twenty thousand entries are no matter.", run: volume},
	}
}

func roundTrip(s *subject) error {
	want := records("r", 20, 1000)
	want[3] = record("empty", 0)
	given := slices.Clone(want)
	for i := range given {
		given[i].Data = slices.Clone(given[i].Data)
	}
	if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: given}); err != nil {
		return err
	}
	for i := range given {
		clear(given[i].Data) // it is the caller's again
	}
	slices.Reverse(want)
	if err := expect(s.ctx, s.store, alpha, want); err != nil {
		return err
	}
	got, err := s.store.Get(s.ctx, alpha, "nothing", want[5].ID, "r-none", want[5].ID)
	if err != nil || len(got) != 2 {
		return fmt.Errorf("get of one id twice among ids that are not stored: %d records, %w", len(got), err)
	}
	clear(got[0].Data)
	return expect(s.ctx, s.store, alpha, want)
}

func idempotent(s *subject) error {
	first := records("r", 5, 100)
	if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: first}); err != nil {
		return err
	}
	again := records("r", 6, 100)
	for i := range again[:5] { // as another encryption of the same would be
		again[i].Data, again[i].Size, again[i].Time = []byte("other bytes"), 11, 99
	}
	again = append(again, again[5])
	if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: again}); err != nil {
		return err
	}
	return expect(s.ctx, s.store, alpha, append(first, again[5]))
}

func collision(s *subject) error {
	first := records("r", 2, 100)
	if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: first}); err != nil {
		return err
	}
	other := record("r-1", 100)
	other.Digest[31]++
	err := s.store.Put(s.ctx, alpha, archive.Batch{Records: []archive.Record{record("new", 10), other}})
	if err := is[*archive.CollisionError](err, "put of another digest"); err != nil {
		return err
	}
	twice := []archive.Record{record("twice", 10), record("twice", 10)}
	twice[1].Digest[0]++
	err = s.store.Put(s.ctx, alpha, archive.Batch{Records: twice})
	if err := is[*archive.CollisionError](err, "put of two digests in one batch"); err != nil {
		return err
	}
	return errors.Join(expect(s.ctx, s.store, alpha, first), absent(s.ctx, s.store, alpha, []archive.Record{record("new", 10), twice[0]}))
}

func atomic(s *subject) error {
	stored := record("stored", 10)
	if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: []archive.Record{stored}}); err != nil {
		return err
	}
	bad := record("bad", 10)
	bad.Digest[0]++
	collide := record("stored", 10)
	collide.Digest[0]++
	invalid := record("x", 10)
	invalid.ID = "Not An Id"
	for _, last := range []archive.Record{collide, invalid} {
		batch := append(records("r", 30, 100), last)
		if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: batch}); err == nil {
			return errors.New("a batch with a record that cannot be stored was stored")
		}
		if err := absent(s.ctx, s.store, alpha, batch[:30]); err != nil {
			return err
		}
	}
	return expect(s.ctx, s.store, alpha, []archive.Record{stored})
}

func needs(s *subject) error {
	stored := record("stored", 10)
	if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: []archive.Record{stored}}); err != nil {
		return err
	}
	batch := records("r", 3, 10)
	need := func(id string, d archive.Digest) error {
		return s.store.Put(s.ctx, alpha, archive.Batch{Records: batch, Needs: []archive.Need{{ID: id, Digest: d}}})
	}
	other := stored.Digest
	other[5]++
	if err := is[*archive.NotFoundError](need("absent", stored.Digest), "put with a need that is not stored"); err != nil {
		return err
	}
	if err := is[*archive.CollisionError](need("stored", other), "put with a need of another digest"); err != nil {
		return err
	}
	if err := absent(s.ctx, s.store, alpha, batch); err != nil {
		return err
	}
	if err := need("stored", stored.Digest); err != nil {
		return err
	}
	return expect(s.ctx, s.store, alpha, append(batch, stored))
}

func apart(s *subject) error {
	own, foreign := records("r", 3, 50), records("r", 3, 50)
	for i := range foreign {
		foreign[i].Digest[0]++ // no collision: another scope
		foreign[i].Data[0]++
	}
	more := record("more", 5)
	if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: append(own, more)}); err != nil {
		return err
	}
	if err := absent(s.ctx, s.store, beta, append(own, more)); err != nil {
		return err
	}
	if err := s.store.Put(s.ctx, beta, archive.Batch{Records: foreign}); err != nil {
		return err
	}
	if err := errors.Join(expect(s.ctx, s.store, alpha, own), expect(s.ctx, s.store, beta, foreign)); err != nil {
		return err
	}
	if err := is[*archive.NotFoundError](s.store.Put(s.ctx, beta, archive.Batch{Needs: []archive.Need{{ID: more.ID, Digest: more.Digest}}}), "need of another scope's record"); err != nil {
		return err
	}
	if err := s.store.Delete(s.ctx, alpha, time.Time{}, "r-0"); err != nil {
		return err
	}
	if err := expect(s.ctx, s.store, beta, foreign); err != nil {
		return err
	}
	if err := s.store.Delete(s.ctx, beta, time.Time{}); err != nil {
		return err
	}
	return errors.Join(expect(s.ctx, s.store, alpha, own[1:]), absent(s.ctx, s.store, beta, foreign))
}

func list(s *subject) error {
	want := records("r", 50, 10)
	for i := range want {
		want[i].Order = int64(i / 5) // several of one order
	}
	want[7].Order = 1<<63 - 1
	for chunk := range slices.Chunk(want, 7) {
		if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: chunk}); err != nil {
			return err
		}
	}
	for _, limit := range []int{1, 7, 50, 100} {
		got, err := listAll(s.ctx, s.store, alpha, limit)
		if err != nil {
			return err
		}
		if len(got) != len(want) {
			return fmt.Errorf("%d records on pages of %d, %d are stored", len(got), limit, len(want))
		}
		for _, h := range got {
			if i := slices.IndexFunc(want, func(r archive.Record) bool { return r.ID == h.ID }); i < 0 || want[i].Head != h {
				return fmt.Errorf("the head of %s is not what was stored", h.ID)
			}
		}
	}
	none, err := s.store.List(s.ctx, beta, archive.Cursor{}, 10)
	if len(none) > 0 || err != nil {
		return fmt.Errorf("list of a scope that does not exist: %d records, %w", len(none), err)
	}
	return nil
}

func remove(s *subject) error {
	all := records("r", 30, 50)
	for chunk := range slices.Chunk(all, 10) {
		if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: chunk}); err != nil {
			return err
		}
	}
	if err := s.store.Delete(s.ctx, alpha, time.Time{}, append(ids(all[5:15]), "never-stored")...); err != nil {
		return err
	}
	left := slices.Concat(all[:5], all[15:])
	check := func() error {
		return errors.Join(expect(s.ctx, s.store, alpha, left), absent(s.ctx, s.store, alpha, all[5:15]))
	}
	if err := check(); err != nil {
		return err
	}
	if s.harness.Persistent {
		if err := s.reopen(); err != nil {
			return err
		}
		if err := check(); err != nil {
			return fmt.Errorf("opened again: %w", err)
		}
	}
	if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: all[5:15]}); err != nil {
		return err
	}
	if err := expect(s.ctx, s.store, alpha, all); err != nil {
		return fmt.Errorf("put again: %w", err)
	}
	for range 2 {
		if err := s.store.Delete(s.ctx, alpha, time.Time{}); err != nil {
			return err
		}
	}
	return absent(s.ctx, s.store, alpha, all)
}

var hostileIDs = []string{
	"", ".", "..", "../../etc/passwd", "a/b", `a\b`, "A", "a b", "a\x00b", "a\xffb", "ü", "%", "_", "'; DROP TABLE records; --",
	"con", strings.Repeat("a", 65), strings.Repeat("x", 1<<20), "\u202e", "*", "lease", "format",
}

func hostile(s *subject) error {
	stored := records("r", 2, 10)
	if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: stored}); err != nil {
		return err
	}
	for _, id := range hostileIDs {
		got, err := s.store.Get(s.ctx, alpha, id, "r-0")
		if err != nil || len(got) != 1 || got[0].ID != "r-0" {
			return fmt.Errorf("get %.40q: %d records, %w", id, len(got), err)
		}
		if err := s.store.Delete(s.ctx, alpha, time.Time{}, id); err != nil {
			return fmt.Errorf("delete %.40q: %w", id, err)
		}
		r := record("x", 10)
		if r.ID = id; r.Check() == nil {
			continue // "con", "lease": fine as ids
		}
		if err := is[*archive.InvalidError](s.store.Put(s.ctx, alpha, archive.Batch{Records: []archive.Record{r}}), fmt.Sprintf("put %.40q", id)); err != nil {
			return err
		}
	}
	fine := []archive.Record{record("con", 5), record("lease", 5), record("format", 5), record(strings.Repeat("a", 64), 5)}
	if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: fine}); err != nil {
		return err
	}
	return expect(s.ctx, s.store, alpha, append(fine, stored...))
}

func cancelled(s *subject) error {
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	all := records("r", 3, 10)
	errs := []error{s.store.Put(ctx, alpha, archive.Batch{Records: all}), s.store.Delete(ctx, alpha, time.Time{})}
	_, err := s.store.Get(ctx, alpha, "r-0")
	errs = append(errs, err)
	_, err = s.store.List(ctx, alpha, archive.Cursor{}, 10)
	for _, err := range append(errs, err) {
		if !errors.Is(err, context.Canceled) {
			return fmt.Errorf("the error of an ended context is another one: %w", orNone(err))
		}
	}
	return absent(s.ctx, s.store, alpha, all)
}
