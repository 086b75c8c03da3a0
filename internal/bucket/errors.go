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

// What errors of this package are, for errors.Is.
var (
	ErrNotExist = fs.ErrNotExist   // no such object, or no such bucket
	ErrDenied   = fs.ErrPermission // no permission, or credentials that are wrong or have expired
	ErrExists   = fs.ErrExist      // of PutNew: there is an object already
	ErrChanged  = errors.New("the object is not the one that was listed")
)

// An Error is what a store refused or could not do.
type Error struct {
	What    string // that was done, as "reading"
	URL     URL
	Code    string // the store's; empty where it said none
	Status  int    // of HTTP
	Message string // the store's
	Tries   int
	Took    time.Duration
	Err     error // one of ErrNotExist …, or the network's

	region string // where the store says that the bucket is
	hint   string // what may help
}

// Error is one sentence.
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

// Unwrap is what the error is.
func (e *Error) Unwrap() error { return e.Err }

// error makes an error of minio-go's.
func (t *tries) error(err error, a *attempt) *Error {
	e := &Error{What: t.what, URL: t.u, Tries: t.total, Took: time.Since(t.began)}
	if own := new(Error); errors.As(err, &own) {
		e.Code, e.Status, e.Message, e.Err, e.hint = own.Code, own.Status, own.Message, own.Err, own.hint
		return e
	}
	var said minio.ErrorResponse
	if errors.As(err, &said) && a.err == nil {
		e.fromStore(said)
		if e.Err == ErrDenied && t.c.stores[t.u.Scheme].creds.anonymous.Load() {
			e.hint = "no credentials were found, so the request was not signed"
		}
		return e
	}
	if a.err != nil {
		err = a.err // minio-go's words for it are others
	}
	if isURL := new(url.Error); errors.As(err, &isURL) {
		err = isURL.Err
	}
	switch e.Err = err; {
	case errors.Is(err, errCredentials):
		e.Err = also{err, ErrDenied}
	case a.requests == 0 && !errors.Is(err, errStalled):
		e.Err = also{err, errFinal} // minio-go's, which did not ask the store
	}
	return e
}

// codes are what errors of the store mean here.
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

// hints are what may help.
var hints = map[string]string{
	"ExpiredToken":          "the credentials have expired: get new ones",
	"ExpiredTokenException": "the credentials have expired: get new ones",
	"RequestTimeTooSkewed":  "set the clock of this machine",
}

func (e *Error) fromStore(said minio.ErrorResponse) {
	e.Code, e.Status, e.Message, e.region = said.Code, said.StatusCode, oneLine(said.Error()), said.Region
	e.hint = hints[said.Code]
	e.Err = codes[said.Code]
	switch {
	case e.Err != nil:
	case said.StatusCode == http.StatusUnauthorized || said.StatusCode == http.StatusForbidden:
		e.Err = ErrDenied
	case said.StatusCode == http.StatusNotFound:
		e.Err = ErrNotExist
	case said.StatusCode == http.StatusPreconditionFailed:
		e.Err = errPrecondition
	default:
		e.Err = errors.New(said.Code)
	}
	if wrong := said.StatusCode == http.StatusMovedPermanently || e.Code == "AuthorizationHeaderMalformed"; wrong && said.Region != "" {
		e.hint = "the bucket is in the region " + said.Region
	}
}

// oneLine makes a part of a sentence of what a store says, or something before
// it: pages of HTML, and requests with their signatures.
func oneLine(text string) string {
	text = strings.TrimRight(strings.Join(strings.Fields(text), " "), ".")
	for _, header := range []string{"AWS4-HMAC", "Signature=", "Credential=", "Security-Token"} {
		if strings.Contains(text, header) {
			return "" // it says the request again
		}
	}
	if runes := []rune(text); len(runes) > 200 {
		text = string(runes[:200]) + "…"
	}
	return text
}

// errPrecondition is a condition that does not hold: who set it knows what that
// means.
var errPrecondition = errors.New("the condition does not hold")

// transient are the store's codes that go by, beside the statuses that do.
var transient = []string{
	"InternalError", "SlowDown", "SlowDownRead", "SlowDownWrite", "ServiceUnavailable", "Throttling", "ThrottlingException",
	"RequestTimeout", "RequestLimitExceeded", "RequestThrottled", "OperationAborted", "ConditionalRequestConflict",
	"IncompleteBody", "BadDigest", "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch",
}

// isTransient reports whether the same may succeed later, and may have been done.
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

// IsNoBucket reports whether it is the bucket that is not there, and not an object.
func IsNoBucket(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == "NoSuchBucket"
}

// errFinal is an answer that the store would give again.
var errFinal = errors.New("the store does not do what was asked")

// also is an error that is another one, too, which is not said.
type also struct{ error, is error }

func (a also) Error() string   { return a.error.Error() }
func (a also) Unwrap() []error { return []error{a.error, a.is} }
