package parquet

import (
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// TestKeysWithoutValue reads a footer with a metadata key without a value, and pages without rows
// at byte 0.
func TestKeysWithoutValue(t *testing.T) {
	type keyValue struct {
		Key string `thrift:"1,required"`
	}
	type column struct {
		Type             format.Type       `thrift:"1,required"`
		Encoding         []format.Encoding `thrift:"2,required"`
		PathInSchema     []string          `thrift:"3,required"`
		Codec            int32             `thrift:"4,required"`
		NumValues        int64             `thrift:"5,required"`
		Uncompressed     int64             `thrift:"6,required"`
		Compressed       int64             `thrift:"7,required"`
		KeyValueMetadata []keyValue        `thrift:"8,optional"`
		DataPageOffset   int64             `thrift:"9,required"`
	}
	type chunk struct {
		FileOffset int64  `thrift:"2,required"`
		MetaData   column `thrift:"3,optional"`
	}
	type group struct {
		Columns       []chunk `thrift:"1,required"`
		TotalByteSize int64   `thrift:"2,required"`
		NumRows       int64   `thrift:"3,required"`
	}
	type file struct {
		Version          int32                  `thrift:"1,required"`
		Schema           []format.SchemaElement `thrift:"2,required"`
		NumRows          int64                  `thrift:"3,required"`
		RowGroups        []group                `thrift:"4,required"`
		KeyValueMetadata []keyValue             `thrift:"5,optional"`
	}
	notes := []keyValue{{"a key"}}
	c := column{Type: format.Int32, Encoding: []format.Encoding{format.Plain}, PathInSchema: []string{"a"},
		Uncompressed: 14, Compressed: 14, KeyValueMetadata: notes}
	data, err := thrift.Marshal(new(thrift.CompactProtocol),
		file{Version: 1, Schema: []format.SchemaElement{{Name: "root"}},
			RowGroups: []group{{Columns: []chunk{{MetaData: c}}}}, KeyValueMetadata: notes})
	if err != nil {
		t.Fatal(err)
	}
	f, err := parseFooter(data, 100)
	if err != nil || len(f.groups) != 1 || f.rows != 0 {
		t.Errorf("%+v, %v", f, err)
	}
}
