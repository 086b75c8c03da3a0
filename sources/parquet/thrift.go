package parquet

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

// This file reads the metadata of a file, which is in the compact protocol of Thrift.
// The decoder makes a list as long as the list claims to be before it reads the first
// element, so metadata is skimmed first, which takes no memory.

var errCut, errTwisted = errors.New("it is cut off"), errors.New("it is no structure of the compact protocol")

// decode decodes the structure that data begins with, and returns how long it is.
func decode(data []byte, into any) (n int, err error) {
	s := skim{data: data}
	if err := s.structure(0); err != nil {
		return 0, err
	}
	protocol := new(thrift.CompactProtocol)
	if err := thrift.NewDecoder(protocol.NewReaderFromBytes(data[:s.at])).Decode(into); err != nil {
		return 0, err
	}
	return s.at, nil
}

// A skim passes over a structure.
type skim struct {
	data []byte
	at   int
}

// maxNested is how deep structures may stand in one another; those of Parquet are
// half as deep.
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

func (s *skim) structure(depth int) error {
	if depth > maxNested {
		return errTwisted
	}
	for {
		b, err := s.byte()
		if err != nil || b == thriftStop {
			return err
		}
		if b>>4 == 0 { // the number of the field follows
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

func (s *skim) value(kind byte, depth int) error {
	switch kind {
	case thriftTrue, thriftFalse, thriftByte:
		return s.pass(1)
	case thriftDouble:
		return s.pass(8)
	case thriftUUID:
		return s.pass(16)
	case thriftBinary:
		n, err := s.uvarint()
		if err != nil {
			return err
		}
		return s.pass(n)
	case thriftList, thriftSet:
		return s.list(depth)
	case thriftStruct:
		return s.structure(depth + 1)
	case thriftMap, thriftStop:
		return errTwisted // which Parquet has none of
	}
	if kind > thriftUUID {
		return errTwisted
	}
	_, err := s.uvarint()
	return err
}

// leastStruct is how many bytes a structure in a list has at least: that of the
// shortest one, a column's order, is three with the end of each.
const leastStruct = 3

func (s *skim) list(depth int) error {
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
		return errCut
	}
	for range n {
		from := s.at
		if err := s.value(kind, depth); err != nil {
			return err
		}
		if uint64(s.at-from) < least {
			return errTwisted
		}
	}
	return nil
}

func (s *skim) byte() (byte, error) {
	if s.at == len(s.data) {
		return 0, io.ErrUnexpectedEOF
	}
	s.at++
	return s.data[s.at-1], nil
}

func (s *skim) uvarint() (uint64, error) {
	x, n := binary.Uvarint(s.data[s.at:])
	switch {
	case n == 0:
		return 0, io.ErrUnexpectedEOF
	case n < 0:
		return 0, errTwisted
	}
	s.at += n
	return x, nil
}

func (s *skim) pass(n uint64) error {
	if n > uint64(len(s.data)-s.at) {
		return io.ErrUnexpectedEOF
	}
	s.at += int(n)
	return nil
}
