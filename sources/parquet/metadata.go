package parquet

import (
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// These types are the fields of a footer that are used. Package format has types with all fields,
// but it rejects key-value metadata without a value.

type fileMetadata struct {
	Schema              thrift.Slice[format.SchemaElement] `thrift:"2,required"`
	NumRows             int64                              `thrift:"3,required"`
	RowGroups           thrift.Slice[groupMetadata]        `thrift:"4,required"`
	EncryptionAlgorithm format.EncryptionAlgorithm         `thrift:"8,optional"`
}

type groupMetadata struct {
	Columns thrift.Slice[chunkMetadata] `thrift:"1,required"`
	NumRows int64                       `thrift:"3,required"`
}

type chunkMetadata struct {
	FilePath                string                      `thrift:"1,optional"`
	MetaData                columnMetadata              `thrift:"3,optional"`
	CryptoMetadata          format.ColumnCryptoMetaData `thrift:"8,optional"`
	EncryptedColumnMetadata []byte                      `thrift:"9,optional"`
}

type columnMetadata struct {
	Type                  format.Type                   `thrift:"1,required"`
	Encoding              thrift.Slice[format.Encoding] `thrift:"2,required"`
	PathInSchema          thrift.Slice[string]          `thrift:"3,required"`
	Codec                 format.CompressionCodec       `thrift:"4,required"`
	NumValues             int64                         `thrift:"5,required"`
	TotalUncompressedSize int64                         `thrift:"6,required"`
	TotalCompressedSize   int64                         `thrift:"7,required"`
	DataPageOffset        int64                         `thrift:"9,required"`
	DictionaryPageOffset  int64                         `thrift:"11,optional"`
	SizeStatistics        format.SizeStatistics         `thrift:"16,optional"`
}
