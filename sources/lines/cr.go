package lines

// CRAlone is what is wrong with a file of old Mac OS, and CRToLF the command that
// writes one with the line ends expected.
const (
	CRAlone = "lines end with CR alone; expected LF or CRLF"
	CRToLF  = `tr '\r' '\n' < OLD > NEW`
)
