package sources

import (
	"path/filepath"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/tfrecord"
)

// TestJoinOfRecords joins on features of Examples: lists of one value are texts and
// numbers.
func TestJoinOfRecords(t *testing.T) {
	dir := t.TempDir()
	record := func(features ...listed) string { return exampleOf(features...) }
	testenv.Put(t, filepath.Join(dir, "a.tfrecord"), framed(tfrecord.TFRecord,
		record(intsOf(3, "n", 7), bytesOf("t", "x")), record(intsOf(3, "n", -8)), record(intsOf(3, "n", 7, 8))))
	testenv.Put(t, filepath.Join(dir, "n.csv"), "n,word\n7,seven\n-8,minus eight\n")
	testenv.Put(t, filepath.Join(dir, "t.csv"), "t,word\nx,the x\n")
	spec := &Spec{
		Kind: Chosen{"tfrecord", recordsOptions("*.tfrecord", "tfrecord")},
		Join: []Join{{Kind: Chosen{"csv", csvOptions("n.csv")}, On: On{{"n", "n"}}},
			{Kind: Chosen{"csv", csvOptions("t.csv")}, On: On{{"t", "t"}}, Prefix: "t."}},
	}
	s, l := mustBind(t, below(dir), spec, "word", "t.word")
	defer s.Release()
	wantRows(t, table(t, s, l, 2), "seven|the x", "minus eight|-", "TYPE")
}
