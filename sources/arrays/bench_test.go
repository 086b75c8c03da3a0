package arrays

import (
	"io"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
)

// benchFiles writes 10,000 rows of 784 bytes in each form.
func benchFiles(b *testing.B) string {
	plain := string(make([]byte, 784*10_000))
	return testenv.Directory(b, map[string]string{
		"idx":     filetest.IDX(0x08, plain, 10_000, 28, 28),
		"big.npy": filetest.NPY(">f4", "(10000, 196)", plain),
		"fortran.npy": filetest.NPYHeader(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (10000, 28, 28)}",
			plain),
		"texts.npy": filetest.NPY("<U196", "(10000,)", plain),
		"idx.gz":    filetest.Gzip(filetest.IDX(0x08, plain, 10_000, 28, 28)),
	})
}

// BenchmarkScan reads rows in place.
func BenchmarkScan(b *testing.B) {
	dir := benchFiles(b)
	for _, name := range []string{"idx", "big.npy", "texts.npy"} {
		b.Run(name, func(b *testing.B) {
			in := mustOpen(b, dir, name)
			if _, err := in.Find(1 << 20); err != nil {
				b.Fatal(err)
			}
			defer in.Release()
			s, vals := in.newScanner(b)
			b.SetBytes(784)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := s.Scan(0, int64(i*7919%10_000), nil, vals); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRows reads rows one after another.
func BenchmarkRows(b *testing.B) {
	dir := benchFiles(b)
	for _, name := range []string{"idx", "big.npy", "fortran.npy", "idx.gz"} {
		b.Run(name, func(b *testing.B) {
			in := mustOpen(b, dir, name)
			b.SetBytes(784 * 10_000)
			b.ReportAllocs()
			for b.Loop() {
				rows, err := in.Rows(0)
				for err == nil {
					_, err = rows.Next()
				}
				if err != io.EOF {
					b.Fatal(err)
				}
				if err := rows.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
