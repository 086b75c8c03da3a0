package objects

import (
	"testing"

	"tfr-build/internal/bucket"
)

// TestCloseWithoutOperations checks that Close does not create a client, which reads certificates.
func TestCloseWithoutOperations(t *testing.T) {
	allocations := testing.AllocsPerRun(10, func() {
		if err := New(t.Context(), bucket.Options{}).Close(); err != nil {
			t.Error(err)
		}
	})
	if allocations > 10 {
		t.Errorf("%v allocations, expected at most 10", allocations)
	}
}
