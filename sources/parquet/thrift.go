package parquet

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

// This file decodes metadata, which is in the compact protocol of Thrift. The library's decoder
// allocates as many elements as a list claims before it reads the first one. A validator checks
// the structure first, without allocating.

var errTruncated, errMalformed = errors.New("it is truncated"), errors.New(
	"it is not a structure of the compact protocol")

// decode decodes the structure at the start of data, and returns its length in bytes.
func decode(data []byte, into any) (n int, err error) {
	s := validator{data: data}
	if err := s.structure(0); err != nil {
		return 0, err
	}
	protocol := new(thrift.CompactProtocol)
	if err := thrift.NewDecoder(protocol.NewReaderFromBytes(data[:s.at])).Decode(into); err != nil {
		return 0, err
	}
	return s.at, nil
}

// A validator checks a structure and skips it.
type validator struct {
	data []byte
	at   int
}

// maxNested limits the nesting of structures. The structures of Parquet are half as deep.
const maxNested = 16

// Types of the compact protocol.
const (
	thriftStop   = 0
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
	thriftUUID   = 13
)

func (s *validator) structure(depth int) error {
	if depth > maxNested {
		return errMalformed
	}
	for {
		b, err := s.byte()
		if err != nil || b == thriftStop {
			return err
		}
		if b>>4 == 0 { // the field ID follows
			if _, err := s.uvarint(); err != nil {
				return err
			}
		}
		if kind := b & 15; kind != thriftTrue && kind != thriftFalse {
			if err := s.value(kind, depth); err != nil {
				return err
			}
		}
	}
}

func (s *validator) value(kind byte, depth int) error {
	switch kind {
	case thriftTrue, thriftFalse, thriftByte:
		return s.skip(1)
	case thriftDouble:
		return s.skip(8)
	case thriftUUID:
		return s.skip(16)
	case thriftBinary:
		n, err := s.uvarint()
		if err != nil {
			return err
		}
		return s.skip(n)
	case thriftList, thriftSet:
		return s.list(depth)
	case thriftStruct:
		return s.structure(depth + 1)
	case thriftMap, thriftStop:
		return errMalformed // Parquet uses no maps
	}
	if kind > thriftUUID {
		return errMalformed
	}
	_, err := s.uvarint()
	return err
}

// leastStruct is the minimum size in bytes of a structure in a list. The shortest is ColumnOrder:
// three bytes with the stop bytes of the union and of the struct in it.
const leastStruct = 3

func (s *validator) list(depth int) error {
	b, err := s.byte()
	if err != nil {
		return err
	}
	n, kind, least := uint64(b>>4), b&15, uint64(1)
	if n == 15 {
		if n, err = s.uvarint(); err != nil {
			return err
		}
	}
	if kind == thriftStruct {
		least = leastStruct
	}
	if n > uint64(len(s.data)-s.at)/least {
		return errTruncated
	}
	for range n {
		from := s.at
		if err := s.value(kind, depth); err != nil {
			return err
		}
		if uint64(s.at-from) < least {
			return errMalformed
		}
	}
	return nil
}

func (s *validator) byte() (byte, error) {
	if s.at == len(s.data) {
		return 0, io.ErrUnexpectedEOF
	}
	s.at++
	return s.data[s.at-1], nil
}

func (s *validator) uvarint() (uint64, error) {
	x, n := binary.Uvarint(s.data[s.at:])
	switch {
	case n == 0:
		return 0, io.ErrUnexpectedEOF
	case n < 0:
		return 0, errMalformed
	}
	s.at += n
	return x, nil
}

func (s *validator) skip(n uint64) error {
	if n > uint64(len(s.data)-s.at) {
		return io.ErrUnexpectedEOF
	}
	s.at += int(n)
	return nil
}
