package archivetest

import (
	"fmt"
	"time"

	"github.com/trimkit/trimkit/archive"
)

var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

func lease(s *subject) error {
	all := records("r", 3, 10)
	if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: all, Lease: noon}); err != nil {
		return err
	}
	for _, l := range []time.Time{noon.Add(-time.Hour), {}} {
		if err := s.store.Put(s.ctx, alpha, archive.Batch{Lease: l}); err != nil {
			return err
		}
	}
	if s.harness.Persistent {
		if err := s.reopen(); err != nil {
			return err
		}
	}
	for _, ids := range [][]string{nil, {"r-1"}} {
		err := s.store.Delete(s.ctx, alpha, noon, ids...)
		if err := is[*archive.LeasedError](err, "delete at the lease's end"); err != nil {
			return err
		}
	}
	if err := expect(s.ctx, s.store, alpha, all); err != nil {
		return err
	}
	if err := s.store.Put(s.ctx, alpha, archive.Batch{Lease: noon.Add(time.Hour)}); err != nil {
		return err
	}
	if err := is[*archive.LeasedError](s.store.Delete(s.ctx, alpha, noon.Add(time.Minute)), "delete behind the first lease"); err != nil {
		return err
	}
	if err := s.store.Delete(s.ctx, alpha, noon.Add(time.Hour+1)); err != nil {
		return err
	}
	if err := absent(s.ctx, s.store, alpha, all); err != nil {
		return err
	}
	// A scope that is made again has no lease of its former life.
	if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: all}); err != nil {
		return err
	}
	return s.store.Delete(s.ctx, alpha, noon)
}

func catalog(s *subject) error {
	c, ok := s.store.(archive.Catalog)
	if !ok {
		return nil
	}
	want := map[archive.Scope]archive.Info{}
	for i := range 20 {
		scope, list := archive.ScopeOf(fmt.Sprint("scope ", i)), records("r", i+1, 10)
		info := archive.Info{Scope: scope, Records: i + 1, Bytes: int64(10 * (i + 1)), Lease: noon.Add(time.Duration(i))}
		for _, r := range list {
			if at := time.Unix(0, r.Time).UTC(); at.After(info.Newest) {
				info.Newest = at
			}
		}
		want[scope] = info
		if err := s.store.Put(s.ctx, scope, archive.Batch{Records: list, Lease: info.Lease}); err != nil {
			return err
		}
	}
	for _, limit := range []int{3, 20, 50} {
		var after archive.Scope
		seen := 0
		for {
			page, err := c.Scopes(s.ctx, after, limit)
			if err != nil {
				return err
			}
			for _, got := range page {
				if got.Scope.String() <= after.String() || got != want[got.Scope] {
					return fmt.Errorf("scopes: %+v, stored is %+v", got, want[got.Scope])
				}
				after = got.Scope
				seen++
			}
			if len(page) < limit {
				break
			}
		}
		if seen != len(want) {
			return fmt.Errorf("scopes: %d on pages of %d, there are %d", seen, limit, len(want))
		}
	}
	return nil
}
