package archivetest

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/trimkit/trimkit/archive"
)

func concurrent(s *subject) error {
	const goroutines, batches = 8, 10
	var wg sync.WaitGroup
	errs := make([]error, goroutines)
	for g := range goroutines {
		wg.Go(func() {
			for b := range batches {
				// Half of it everybody writes, so that batches meet.
				batch := append(records(fmt.Sprintf("g%d-b%d", g, b), 5, 200), records(fmt.Sprintf("all-b%d", b), 5, 200)...)
				scope := alpha
				if g%2 == 1 {
					scope = beta
				}
				errs[g] = errors.Join(errs[g], s.store.Put(s.ctx, scope, archive.Batch{Records: batch, Lease: noon}), expect(s.ctx, s.store, scope, batch))
				_, err := listAll(s.ctx, s.store, scope, 13)
				errs[g] = errors.Join(errs[g], err, s.store.Delete(s.ctx, scope, time.Time{}, batch[0].ID))
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	heads, err := listAll(s.ctx, s.store, alpha, 100)
	if want := goroutines/2*batches*4 + batches*5; err == nil && len(heads) != want {
		err = fmt.Errorf("%d records are left, and not %d", len(heads), want)
	}
	return err
}

func compact(s *subject) error {
	var all []archive.Record
	for b := range 100 {
		batch := records(fmt.Sprintf("b%d", b), 2, 300)
		all = append(all, batch...)
		if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: batch, Lease: noon}); err != nil {
			return err
		}
	}
	if err := s.store.Delete(s.ctx, alpha, time.Time{}, ids(all[:50])...); err != nil {
		return err
	}
	if c, ok := s.store.(archive.Compacter); ok {
		if err := c.Compact(s.ctx); err != nil {
			return err
		}
	}
	if err := errors.Join(expect(s.ctx, s.store, alpha, all[50:]), absent(s.ctx, s.store, alpha, all[:50])); err != nil {
		return err
	}
	return is[*archive.LeasedError](s.store.Delete(s.ctx, alpha, noon), "delete of what is leased")
}

func volume(s *subject) error {
	const entries, batch = 20_000, 500
	size := 64 << 20 / entries
	if soak() {
		size = 1 << 30 / entries
	}
	for b := range entries / batch {
		if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: records(fmt.Sprint("v", b), batch, size)}); err != nil {
			return err
		}
	}
	heads, err := listAll(s.ctx, s.store, alpha, 1000)
	if err != nil || len(heads) != entries {
		return fmt.Errorf("list: %d records, %d are stored: %w", len(heads), entries, err)
	}
	for b := 0; b < entries/batch; b += 7 {
		if err := expect(s.ctx, s.store, alpha, records(fmt.Sprint("v", b), batch, size)); err != nil {
			return err
		}
	}
	return nil
}
