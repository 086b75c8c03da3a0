package lines

// CRAlone is the error message for a file with the line ends of old Mac OS. CRToLF is the command
// that converts it.
const (
	CRAlone = "lines end with CR alone; expected LF or CRLF"
	CRToLF  = `tr '\r' '\n' < OLD > NEW`
)
