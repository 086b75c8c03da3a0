package arrayrecord

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/zstd"
	"google.golang.org/protobuf/encoding/protowire"
)

// A maker makes a file in the simplest way, following the description of the format byte by byte.
type maker struct {
	out     []byte
	group   int
	zstd    bool
	entries []chunkEntry
	records int64
}

func (m *maker) chunk(kind chunkType, data []byte, records, decoded int) {
	h := chunkHeader{uint64(len(data)), hash(data), kind, uint64(records), uint64(decoded)}
	body := append(h.append(nil), data...)
	begin := int64(len(m.out))
	end := chunkEnd(begin, int64(len(body)), int64(records))
	for at := begin; at < end; at++ {
		if at%blockSize == 0 {
			m.out = blockHeader{uint64(at - begin), uint64(end - at)}.append(m.out)
			at += blockHeaderSize
		}
		if len(body) > 0 {
			m.out, body = append(m.out, body[0]), body[1:]
		} else {
			m.out = append(m.out, 0)
		}
	}
}

func (m *maker) write(records [][]byte, pack bool) {
	var sizes, values []byte
	for _, r := range records {
		sizes = binary.AppendUvarint(sizes, uint64(len(r)))
		values = append(values, r...)
	}
	decoded := len(values)
	data := []byte{0}
	if pack {
		data[0] = 'z'
		e, _ := zstd.NewWriter(nil)
		sizes = e.EncodeAll(sizes, binary.AppendUvarint(nil, uint64(len(sizes))))
		values = e.EncodeAll(values, binary.AppendUvarint(nil, uint64(len(values))))
	}
	data = binary.AppendUvarint(data, uint64(len(sizes)))
	data = append(append(data, sizes...), values...)
	m.chunk(recordsType, data, len(records), decoded)
}

func (m *maker) pad() {
	n := (blockSize - len(m.out)%blockSize) % blockSize
	switch {
	case n == 0:
		return
	case n < chunkHeaderSize:
		n += usable
	}
	m.chunk(paddingType, make([]byte, n-chunkHeaderSize), 0, 0)
}

func field(b []byte, n protowire.Number, x uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, n, protowire.VarintType), x)
}

func textField(b []byte, n protowire.Number, text []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, n, protowire.BytesType), text)
}

func (m *maker) footer() [][]byte {
	meta := field(field(field(nil, 1, 1), 2, uint64(len(m.entries))), 3, uint64(m.records))
	options := fmt.Sprintf("group_size:%d,transpose:false,pad_to_block_boundary:false,uncompressed,max_parallelism:1",
		m.group)
	list := [][]byte{textField(nil, 1, textField(meta, 4, []byte(options)))}
	for _, e := range m.entries {
		list = append(list, field(field(field(nil, 1, uint64(e.Offset)), 2, uint64(e.Size)), 3, uint64(e.Records)))
	}
	return list
}

func (m *maker) end() []byte {
	at := len(m.out)
	m.write(m.footer(), m.zstd)
	m.pad()
	post := field(field(nil, 1, uint64(at)), 2, postscriptMagic)
	m.write([][]byte{post, post, post}, false)
	m.pad()
	return m.out
}

func (m *maker) file(records [][]byte) []byte {
	m.chunk(signatureType, nil, 0, 0)
	for len(records) > 0 {
		some := records[:min(m.group, len(records))]
		records = records[len(some):]
		size := 0
		for _, r := range some {
			size += len(r)
		}
		m.entries = append(m.entries, chunkEntry{int64(len(m.out)), int64(size), int64(len(some))})
		m.records += int64(len(some))
		m.write(some, m.zstd)
	}
	return m.end()
}

// texts returns n records of up to most bytes.
func texts(n, most int) [][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	list := make([][]byte, n)
	for i := range list {
		list[i] = fmt.Appendf(nil, "%d:", i)
		list[i] = append(list[i], bytes.Repeat([]byte{byte(i)}, random.IntN(most))...)
	}
	return list
}

// readAll returns all readable records, and all errors of damage.
func readAll(file []byte) (records [][]byte, damages []string, err error) {
	r := NewReader(bytes.NewReader(file), "")
	for {
		record, err := r.Next()
		if err == io.EOF {
			return records, damages, nil
		}
		if err == nil {
			records = append(records, bytes.Clone(record))
			continue
		}
		corrupt, ok := asCorrupt(err)
		if !ok {
			return records, damages, err
		}
		damages = append(damages, err.Error())
		if !corrupt.Skippable {
			if err := r.Resync(); err != nil && err != io.EOF {
				return records, damages, err
			}
		}
	}
}

func same(t *testing.T, got, want [][]byte) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d records, want %d", len(got), len(want))
	}
	for i := range got {
		if !bytes.Equal(got[i], want[i]) {
			t.Fatalf("record %d is %.40q, want %.40q", i, got[i], want[i])
		}
	}
}
