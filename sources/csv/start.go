package csv

import (
	"bytes"
	"fmt"

	"tfr-build/schema"
	"tfr-build/sources/charset"
	"tfr-build/sources/lines"
	"tfr-build/sources/table"
)

// Start parses the head of a file: BOM, skipped lines, and header. Without a header it has no names. atEOF says that
// head is the complete file. If more is true, Start needs a longer head. Beyond the lines before the first record it
// never needs more than MaxRecord+64 bytes.
//
// With an error, First and Lines say where the invalid record begins. The error's At is relative to
// First.
func (f Format) Start(head []byte, atEOF bool) (h table.Head, bad *schema.RowError, more bool) {
	if len(head) < sniffed && !atEOF {
		return h, nil, true
	}
	if bad := f.Encoding.Mismatch(head); bad != nil {
		return h, bad, false
	}
	if f.Encoding == charset.UTF8 {
		h.First = lines.First(head)
	}
	for range f.SkipLines {
		if bad, more := f.skipLine(&h, head, atEOF); bad != nil || more {
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
	if bad = f.parseHeader(&h, rec); bad == nil {
		skip(&h, rec)
	}
	return h, bad, false
}

// skip moves First and Lines past b.
func skip(h *table.Head, b []byte) {
	h.First += len(b)
	h.Lines += bytes.Count(b, []byte{'\n'})
}

// skipLine skips a line with any content. If the lines end with CR alone, it returns an error,
// because the complete file would be one line.
func (f Format) skipLine(h *table.Head, head []byte, atEOF bool) (bad *schema.RowError, more bool) {
	rest, limit := head[h.First:], f.maxRecord()
	if end := lineAfter(rest, 0); end >= 0 {
		skip(h, rest[:end])
		return nil, false
	}
	cr := bytes.IndexByte(rest, '\r')
	switch {
	case cr >= 0 && cr+1 < len(rest) && (atEOF || len(rest) > limit):
		return crAlone(cr, f.Encoding), false
	case atEOF:
		skip(h, rest)
	case len(rest) > limit:
		return tooLong(limit, limit, false), false
	default:
		return nil, true
	}
	return nil, false
}

// headerRecord moves h to the header and returns the header's record. It rejects a header that ends
// with CR alone: no row of such a file is usable.
func (f Format) headerRecord(h *table.Head, head []byte, atEOF bool) (rec []byte, bad *schema.RowError, more bool) {
	cutter := f.NewCutter(false)
	for {
		rest := head[h.First:]
		n, kind, bad, more := cutter.Next(rest, atEOF)
		switch {
		case kind != table.Row && n > 0:
			skip(h, rest[:n])
			continue
		case kind != table.Row && atEOF:
			return nil, schema.RowErrorf("CSV_EMPTY", -1, "no header"), false
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

// parseHeader sets the names of the columns.
func (f Format) parseHeader(h *table.Head, rec []byte) *schema.RowError {
	f.Rest = false // the names have no delimiters
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
		h.LikelyDelimiter = f.otherDelimiter(rec)
	}
	return nil
}
