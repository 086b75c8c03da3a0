package fault

import (
	"fmt"
	"slices"
	"testing"

	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

// TestLinkAlwaysLeadsToADataset looks through the link before each of the operations that
// publish a version, as a reader does: there is a dataset at every instant, the older
// one or the new one, and never again the older one.
func TestLinkAlwaysLeadsToADataset(t *testing.T) {
	job := &jobs[slices.IndexFunc(jobs, func(j job) bool { return len(j.older) > 0 })]
	l := job.lay(t)
	disk := copyOf(l.before)
	last := contentsOf(t, disk, work)[work+"/current"]
	seen := []string{last}
	_, err := l.build(t, disk, func(i int, op vfstest.Op) error {
		text, err := vfstest.ReadFile(disk, work+"/current/"+sink.ManifestName)
		if err != nil || len(text) == 0 {
			return fmt.Errorf("before operation %d, %s, the link leads nowhere: %w", i, op, err)
		}
		if now, _ := disk.Readlink(work + "/current"); "-> "+now != last {
			last = "-> " + now
			seen = append(seen, last)
		}
		return nil
	})
	if err != nil || !slices.Equal(seen, []string{"-> out-0.9.0", "-> out-1.0.0"}) {
		t.Errorf("the link led to %q: %v", seen, err)
	}
}
