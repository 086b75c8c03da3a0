package bucket

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/minio/minio-go/v7/pkg/credentials"
)

// A chain asks providers for credentials in their order, and stays with the first that has some.
// When these expire, it asks that provider again, and returns its errors. If no provider has any,
// requests are not signed.
//
// The chain of minio-go differs: it treats a provider that fails later like one that has nothing.
// And if no provider had any, it asks them all again.
type chain struct {
	providers []credentials.Provider
	client    *http.Client // for providers that make requests
	chosen    credentials.Provider
	anonymous atomic.Bool
}

var _ credentials.Provider = (*chain)(nil)

// s3Credentials returns the credentials that the tools of AWS use, from the same places.
func s3Credentials() *chain {
	c := &chain{
		client:    roleClient(),
		providers: []credentials.Provider{&credentials.EnvAWS{}, profile{&credentials.FileAWSCredentials{}}},
	}
	isRole := os.Getenv("AWS_WEB_IDENTITY_TOKEN_FILE") != "" ||
		os.Getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") != "" ||
		os.Getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI") != ""
	if isRole || !strings.EqualFold(os.Getenv("AWS_EC2_METADATA_DISABLED"), "true") {
		c.providers = append(c.providers, &credentials.IAM{})
	}
	return c
}

// gsCredentials returns an HMAC key of GCS.
func gsCredentials() *chain {
	key, secret := os.Getenv("GS_ACCESS_KEY_ID"), os.Getenv("GS_SECRET_ACCESS_KEY")
	if key == "" || secret == "" {
		return &chain{}
	}
	value := credentials.Value{AccessKeyID: key, SecretAccessKey: secret, SignerType: credentials.SignatureV4}
	return &chain{providers: []credentials.Provider{&credentials.Static{Value: value}}}
}

func (c *chain) credentials() *credentials.Credentials { return credentials.New(c) }

// RetrieveWithCredContext implements credentials.Provider.
func (c *chain) RetrieveWithCredContext(cc *credentials.CredContext) (credentials.Value, error) {
	if c.chosen != nil {
		return c.retrieve(c.chosen, cc)
	}
	for _, p := range c.providers {
		value, err := c.retrieve(p, cc)
		if errors.Is(err, errUnprintable) {
			return value, err
		}
		if named, isProfile := p.(profile); err != nil && isProfile && named.isNamed() {
			return value, fmt.Errorf("%w: %w", errCredentials, err)
		}
		if err == nil && value.AccessKeyID != "" {
			c.chosen = p
			return value, nil
		}
	}
	c.anonymous.Store(true)
	return credentials.Value{SignerType: credentials.SignatureAnonymous}, nil
}

// Retrieve implements credentials.Provider.
func (c *chain) Retrieve() (credentials.Value, error) { return c.RetrieveWithCredContext(nil) }

// IsExpired implements credentials.Provider.
func (c *chain) IsExpired() bool {
	if c.chosen != nil {
		return c.chosen.IsExpired()
	}
	return !c.anonymous.Load()
}

// errCredentials says that a provider chosen by the user has no credentials.
var errCredentials = errors.New("no credentials")

// retrieve asks a provider, with the client of the chain: the client of the store waits too long,
// and limits the number of requests. Errors have no URL, which may contain a token.
func (c *chain) retrieve(p credentials.Provider, cc *credentials.CredContext) (credentials.Value, error) {
	own := credentials.CredContext{Client: c.client}
	if cc != nil {
		own.Endpoint, own.Context = cc.Endpoint, cc.Context
	}
	value, err := p.RetrieveWithCredContext(&own)
	if err == nil && !isPrintable(value) {
		return credentials.Value{}, errUnprintable
	}
	if isURL := new(url.Error); errors.As(err, &isURL) {
		err = isURL.Err
	}
	return value, err
}

// errUnprintable says that credentials cannot be in a header. One cause is a file with a line
// break at its end. The message does not contain the credentials.
var errUnprintable = fmt.Errorf("%w: found a line break or another control character in them", errCredentials)

// isPrintable reports whether credentials have no control characters.
func isPrintable(v credentials.Value) bool {
	return !strings.ContainsFunc(v.AccessKeyID+v.SecretAccessKey+v.SessionToken, unicode.IsControl)
}

// A profile is one in AWS's shared files. If the user names it, it must exist.
type profile struct {
	*credentials.FileAWSCredentials
}

func (profile) isNamed() bool { return os.Getenv("AWS_PROFILE") != "" }

// roleClient returns a client for the services with the credentials of roles. Without such a
// service often nothing answers, so the client does not wait long.
func roleClient() *http.Client {
	return &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{
		DialContext: (&net.Dialer{Timeout: 2 * time.Second}).DialContext,
		Proxy: func(r *http.Request) (*url.URL, error) {
			if strings.HasPrefix(r.URL.Host, "169.254.") {
				return nil, nil // the metadata service of the machine
			}
			return http.ProxyFromEnvironment(r)
		},
		DisableKeepAlives: true, // credentials are valid for an hour or so
	}}
}
