package bucket

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
)

// The errors of this package wrap these, for errors.Is.
var (
	ErrNotExist = fs.ErrNotExist   // the object or the bucket does not exist
	ErrDenied   = fs.ErrPermission // no permission, or credentials that are wrong or have expired
	ErrExists   = fs.ErrExist      // from Put: the object is not the one to replace
	ErrChanged  = errors.New("the object is not the one that was listed")
)

// An Error says that a store refused a request, or that the store could not be reached.
type Error struct {
	What    string // the operation, such as "reading"
	URL     URL
	Code    string // of the store; empty if it sent none
	Status  int    // of HTTP
	Message string // of the store
	Tries   int
	Took    time.Duration
	Err     error // ErrNotExist, ErrDenied, ErrExists, ErrChanged, or another cause

	region string // region of the bucket, if the store sent it
	hint   string // what the user can do
}

// Error returns one sentence.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: ", e.What, e.URL)
	if e.Code == "" {
		b.WriteString(e.Err.Error())
	} else {
		b.WriteString("the store says " + e.Code)
		if status := strconv.Itoa(e.Status); !strings.HasPrefix(e.Code, status) {
			fmt.Fprintf(&b, " (%s)", status)
		}
		if e.Message != "" && e.Message != e.Code {
			b.WriteString(": " + e.Message)
		}
	}
	if e.hint != "" {
		b.WriteString("; " + e.hint)
	}
	if e.Tries > 1 {
		fmt.Fprintf(&b, "; tried %d times in %v", e.Tries, e.Took.Round(time.Millisecond))
	}
	return b.String()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// newError returns the Error for an error of an attempt.
func (t *tries) newError(err error, a *attempt) *Error {
	e := &Error{What: t.what, URL: t.u, Tries: t.total, Took: time.Since(t.began)}
	if own := new(Error); errors.As(err, &own) {
		e.Code, e.Status, e.Message, e.Err, e.hint = own.Code, own.Status, own.Message, own.Err, own.hint
		return e
	}
	var resp minio.ErrorResponse
	if errors.As(err, &resp) && a.err == nil {
		e.fromStore(resp)
		if e.Err == ErrDenied && t.c.stores[t.u.Scheme].creds.anonymous.Load() {
			e.hint = "no credentials were found, so the request was not signed"
		}
		return e
	}
	if a.err != nil {
		err = a.err // minio-go replaces the error of the network by its own
	}
	if isURL := new(url.Error); errors.As(err, &isURL) {
		err = isURL.Err
	}
	switch e.Err = err; {
	case errors.Is(err, errCredentials):
		e.Err = also{err, ErrDenied}
	case a.requests == 0 && !errors.Is(err, errStalled):
		e.Err = also{err, errFinal} // from minio-go, which made no request
	}
	return e
}

// codes maps error codes of stores to the errors of this package.
var codes = map[string]error{
	"NoSuchKey":                    ErrNotExist,
	"NoSuchBucket":                 ErrNotExist,
	"NoSuchUpload":                 ErrNotExist,
	"AccessDenied":                 ErrDenied,
	"AllAccessDisabled":            ErrDenied,
	"AccountProblem":               ErrDenied,
	"ExpiredToken":                 ErrDenied,
	"ExpiredTokenException":        ErrDenied,
	"TokenRefreshRequired":         ErrDenied,
	"InvalidToken":                 ErrDenied,
	"InvalidAccessKeyId":           ErrDenied,
	"SignatureDoesNotMatch":        ErrDenied,
	"RequestTimeTooSkewed":         ErrDenied,
	"UnauthorizedAccess":           ErrDenied,
	"AuthorizationQueryParameters": ErrDenied,
}

// hints has advice for error codes of stores.
var hints = map[string]string{
	"ExpiredToken":          "the credentials have expired: get new ones",
	"ExpiredTokenException": "the credentials have expired: get new ones",
	"RequestTimeTooSkewed":  "set the clock of this machine",
}

func (e *Error) fromStore(resp minio.ErrorResponse) {
	e.Code, e.Status, e.Message, e.region = resp.Code, resp.StatusCode, oneLine(resp.Error()), resp.Region
	e.hint = hints[resp.Code]
	e.Err = codes[resp.Code]
	switch {
	case e.Err != nil:
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		e.Err = ErrDenied
	case resp.StatusCode == http.StatusNotFound:
		e.Err = ErrNotExist
	case resp.StatusCode == http.StatusPreconditionFailed:
		e.Err = errPrecondition
	default:
		e.Err = errors.New(resp.Code)
	}
	wrong := resp.StatusCode == http.StatusMovedPermanently || e.Code == "AuthorizationHeaderMalformed"
	if wrong && resp.Region != "" {
		e.hint = "the bucket is in the region " + resp.Region
	}
}

// oneLine returns a message of a store on one line, without a period at its end and not too long.
// It returns "" for a message that repeats the header of the request.
func oneLine(text string) string {
	text = strings.TrimRight(strings.Join(strings.Fields(text), " "), ".")
	for _, header := range []string{"AWS4-HMAC", "Signature=", "Credential=", "Security-Token"} {
		if strings.Contains(text, header) {
			return "" // it repeats the header of the request
		}
	}
	if runes := []rune(text); len(runes) > 200 {
		text = string(runes[:200]) + "…"
	}
	return text
}

// errPrecondition says that the condition of a request does not hold. Its caller set the
// condition and returns a clearer error.
var errPrecondition = errors.New("the condition does not hold")

// transient has the store's codes of passing errors, besides those with the status of one.
var transient = []string{
	"InternalError", "SlowDown", "SlowDownRead", "SlowDownWrite", "ServiceUnavailable", "Throttling",
	"ThrottlingException",
	"RequestTimeout", "RequestLimitExceeded", "RequestThrottled", "OperationAborted", "ConditionalRequestConflict",
	"IncompleteBody", "BadDigest", "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch",
}

// isTransient reports whether the same request may succeed later. The failed one may have had its
// effect.
func (e *Error) isTransient() bool {
	if e.Code != "" {
		return isTransientStatus(e.Status) || slices.Contains(transient, e.Code)
	}
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	switch {
	case errors.Is(e.Err, errFinal), errors.Is(e.Err, ErrChanged), errors.Is(e.Err, ErrDenied),
		errors.Is(e.Err, context.Canceled), errors.As(e.Err, &certificate), errors.As(e.Err, &authority):
		return false
	}
	return true
}

func isTransientStatus(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// IsNoBucket reports whether an error says that the bucket, and not only the object, does not
// exist.
func IsNoBucket(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == "NoSuchBucket"
}

// errFinal says that the store would give the same answer again.
var errFinal = errors.New("the store answered another request")

// An also is an error with the text of one error that is another error, too, for errors.Is.
type also struct{ error, is error }

func (a also) Error() string   { return a.error.Error() }
func (a also) Unwrap() []error { return []error{a.error, a.is} }
