package archive

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"
)

// Retention says what may go. Whole conversations go, since an archive of which some entries
// are gone restores nothing; never one whose lease has not ended.
type Retention struct {
	Now      time.Time     // the present; it must be set
	MaxAge   time.Duration // what nothing was added to, and no lease kept, for longer than this goes; 0: age is no reason
	MaxBytes int64         // while more is stored, what was unleased longest goes; 0: size is no reason
	DryRun   bool          // remove nothing, only say what would go
}

// Pruned says what a Prune removed.
type Pruned struct {
	Conversations, Records int
	Bytes                  int64
	Left                   int64   // bytes that are still stored; above MaxBytes if leases hold them
	Scopes                 []Scope // that went
}

// Prune removes conversations by age and size. The store must be a [Catalog]. A conversation
// that gets a lease meanwhile stays. With an error, what is counted has gone all the same.
func (a *Archive) Prune(ctx context.Context, r Retention) (*Pruned, error) {
	if r.Now.IsZero() || r.MaxAge < 0 || r.MaxBytes < 0 {
		return nil, &InvalidError{"a retention needs the present, and bounds that are not negative"}
	}
	done := &Pruned{}
	var may []Info
	err := a.scopes(ctx, func(i Info) error {
		done.Left += i.Bytes
		if i.Lease.Before(r.Now) {
			may = append(may, i)
		}
		return nil
	})
	if err != nil {
		return done, err
	}
	slices.SortFunc(may, func(x, y Info) int {
		return cmp.Or(idle(&x).Compare(idle(&y)), cmp.Compare(x.Scope.String(), y.Scope.String()))
	})
	for _, i := range may {
		old := r.MaxAge > 0 && r.Now.Sub(idle(&i)) > r.MaxAge
		if !old && (r.MaxBytes == 0 || done.Left <= r.MaxBytes) {
			continue
		}
		if !r.DryRun {
			err := a.store.Delete(ctx, i.Scope, r.Now)
			if leased := (*LeasedError)(nil); errors.As(err, &leased) {
				continue
			}
			if err != nil {
				return done, err
			}
		}
		done.Conversations++
		done.Records += i.Records
		done.Bytes += i.Bytes
		done.Left -= i.Bytes
		done.Scopes = append(done.Scopes, i.Scope)
	}
	return done, nil
}

// idle returns since when nothing has kept a conversation.
func idle(i *Info) time.Time {
	if i.Lease.After(i.Newest) {
		return i.Lease
	}
	return i.Newest
}

// Compact gives back the room of what was removed, if the store is a [Compacter].
func (a *Archive) Compact(ctx context.Context) error {
	if c, ok := a.store.(Compacter); ok {
		return c.Compact(ctx)
	}
	return nil
}
