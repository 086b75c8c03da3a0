package fault

import (
	"fmt"
	"slices"
	"testing"

	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

// TestLinkAlwaysLeadsToADataset reads the dataset through the link before each operation that
// publishes a version. The link always leads to a dataset: first to the older one, then only to the
// new one.
func TestLinkAlwaysLeadsToADataset(t *testing.T) {
	job := &jobs[slices.IndexFunc(jobs, func(j job) bool { return len(j.older) > 0 })]
	l := job.lay(t)
	disk := copyOf(l.before)
	target := contentsOf(t, disk, work)[work+"/current"]
	targets := []string{target}
	_, err := l.build(t, disk, func(i int, op vfstest.Op) error {
		text, err := vfstest.ReadFile(disk, work+"/current/"+sink.ManifestName)
		if err != nil || len(text) == 0 {
			return fmt.Errorf("before operation %d, %s, the link does not lead to a dataset: %w", i, op, err)
		}
		if now, _ := disk.Readlink(work + "/current"); "-> "+now != target {
			target = "-> " + now
			targets = append(targets, target)
		}
		return nil
	})
	if err != nil || !slices.Equal(targets, []string{"-> out-0.9.0", "-> out-1.0.0"}) {
		t.Errorf("the link led to %q: %v", targets, err)
	}
}
