package parquet

import (
	"errors"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

// This file decodes metadata, which is in the compact protocol of Thrift. The library's decoder
// allocates as many elements as a list claims before it reads the first one. A validator checks
// the structure first, without allocating. It reads with the library's reader.

var errTruncated, errMalformed = errors.New("it is truncated"), errors.New(
	"it is not a structure of the compact protocol")

// decode decodes the structure at the start of data, and returns its length in bytes. If the structure may continue
// after data, the error is errTruncated.
func decode(data []byte, into any) (n int, err error) {
	protocol := new(thrift.CompactProtocol)
	v := validator{protocol.NewReaderFromBytes(data), len(data)}
	if err := v.value(thrift.STRUCT, 0); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errTruncated
		}
		return 0, err
	}
	n = v.BytesRead()
	return n, thrift.NewDecoder(protocol.NewReaderFromBytes(data[:n])).Decode(into)
}

// A validator checks a structure and skips it.
type validator struct {
	thrift.Reader
	size int // of the data
}

// maxNested limits the nesting of structures and lists. The metadata of Parquet is half as deep.
const maxNested = 16

// value skips a value in depth structures and lists.
func (v *validator) value(kind thrift.Type, depth int) (err error) {
	if depth > maxNested {
		return errMalformed
	}
	switch kind {
	case thrift.TRUE, thrift.FALSE, thrift.I8:
		_, err = v.ReadInt8()
	case thrift.I16, thrift.I32, thrift.I64:
		_, err = v.ReadInt64()
	case thrift.DOUBLE:
		_, err = v.ReadFloat64()
	case thrift.BINARY:
		_, err = v.ReadBytes()
	case thrift.LIST, thrift.SET:
		err = v.list(depth)
	case thrift.STRUCT:
		err = v.structure(depth)
	default:
		err = errMalformed // Parquet uses no maps and no UUIDs
	}
	return err
}

func (v *validator) structure(depth int) error {
	for {
		field, err := v.ReadField()
		if err != nil || field.Type == thrift.STOP && !field.Delta {
			return err
		}
		if field.Type != thrift.TRUE && field.Type != thrift.FALSE { // the type is the value
			if err := v.value(field.Type, depth+1); err != nil {
				return err
			}
		}
	}
}

// leastStruct is the minimum size in bytes of a structure in a list. The shortest is ColumnOrder:
// three bytes with the stop bytes of the union and of the struct in it.
const leastStruct = 3

func (v *validator) list(depth int) error {
	list, err := v.ReadList()
	if err != nil {
		return err
	}
	least := 1
	if list.Type == thrift.STRUCT {
		least = leastStruct
	}
	if int(list.Size) > (v.size-v.BytesRead())/least {
		return errTruncated
	}
	for range list.Size {
		from := v.BytesRead()
		if err := v.value(list.Type, depth+1); err != nil {
			return err
		}
		if v.BytesRead()-from < least {
			return errMalformed
		}
	}
	return nil
}
