package csv

import (
	"bytes"
	"fmt"

	"tfr-build/schema"
	"tfr-build/sources/charset"
	"tfr-build/sources/table"
)

// A Head is what comes before the records of a file.
type Head struct {
	Names []string // the header's cells; nil without a header
	First int      // where the cutting of records begins: after BOM, skipped lines and header
	Lines int      // lines before First
	BOM   bool     // the file begins with a byte order mark, which belongs to no cell
	Looks string   // a header of one cell has several with this delimiter; else empty
}

const bom = "\xef\xbb\xbf"

// Start reads the head of a file; atEOF says that it is all of the file.
// With more, Start requires a longer piece; it never does when that has more
// than MaxRecord+64 bytes beyond the lines before the first record.
//
// With an error, First and Lines say where the faulty record begins, to which
// At is relative.
func (f Format) Start(head []byte, atEOF bool) (h Head, bad *schema.RowError, more bool) {
	if len(head) < sniffed && !atEOF {
		return Head{}, nil, true
	}
	if bad := f.Encoding.Mismatch(head); bad != nil {
		return Head{}, bad, false
	}
	if f.Encoding == charset.UTF8 && hasPrefix(head, bom) {
		h.BOM, h.First = true, len(bom)
	}
	for range f.SkipLines {
		if bad, more := h.skipLine(f, head, atEOF); bad != nil || more {
			return h, bad, more
		}
	}
	if !f.Header {
		return h, nil, false
	}
	rec, bad, more := f.headerRecord(&h, head, atEOF)
	if bad != nil || more {
		return h, bad, more
	}
	if bad = f.header(&h, rec); bad == nil {
		h.pass(rec)
	}
	return h, bad, false
}

func (h *Head) pass(b []byte) {
	h.First += len(b)
	h.Lines += bytes.Count(b, []byte{'\n'})
}

// skipLine skips a line, whatever it holds. All of a file whose lines end with CR
// would be that line.
func (h *Head) skipLine(f Format, head []byte, atEOF bool) (bad *schema.RowError, more bool) {
	rest, limit := head[h.First:], f.maxRecord()
	if end := lineAfter(rest, 0); end >= 0 {
		h.pass(rest[:end])
		return nil, false
	}
	cr := bytes.IndexByte(rest, '\r')
	switch {
	case cr >= 0 && cr+1 < len(rest) && (atEOF || len(rest) > limit):
		return crAlone(cr, f.Encoding), false
	case atEOF:
		h.pass(rest)
	case len(rest) > limit:
		return tooLong(limit, limit, false), false
	default:
		return nil, true
	}
	return nil, false
}

// headerRecord moves h to the header, and refuses one that CR alone ends: nothing
// of such a file can be used.
func (f Format) headerRecord(h *Head, head []byte, atEOF bool) (rec []byte, bad *schema.RowError, more bool) {
	cutter := f.NewCutter(false)
	for {
		rest := head[h.First:]
		n, kind, bad, more := cutter.Next(rest, atEOF)
		switch {
		case kind != table.Row && n > 0:
			h.pass(rest[:n])
			continue
		case kind != table.Row && atEOF:
			return nil, &schema.RowError{Code: "CSV_EMPTY", At: -1, Message: "no header"}, false
		case kind != table.Row:
			return nil, nil, true
		case !more:
			rest = rest[:n]
		}
		if cr := f.findLoneCR(rest, !more); cr >= 0 {
			return nil, loneCR(f, rest, cr), false
		}
		if bad != nil {
			bad = f.suspectDelimiter(bad, rest)
		}
		return rest, bad, more
	}
}

// header reads the names of the columns.
func (f Format) header(h *Head, rec []byte) *schema.RowError {
	count := f.cellAt(rec, len(rec)) + 1
	if f.MaxColumns > 0 && count > f.MaxColumns {
		return &schema.RowError{Code: "LIMIT_COLUMNS", At: f.cellStart(rec, f.MaxColumns),
			Message: fmt.Sprintf("%d columns, more than %d", count, f.MaxColumns),
			Hint:    fmt.Sprintf("limits: {columns: %d}", count)}
	}
	cells := make([]int32, count)
	for i := range cells {
		cells[i] = int32(i)
	}
	vals := make([]schema.Value, count)
	if _, err := f.NewScanner().Scan(rec, cells, vals, CheckAll); err != nil {
		return err.(*schema.RowError)
	}
	for _, v := range vals {
		h.Names = append(h.Names, string(v.Text))
	}
	if count == 1 {
		h.Looks = f.otherDelimiter(rec)
	}
	return nil
}
