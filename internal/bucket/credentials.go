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

// A chain asks providers for credentials, in their order, and keeps to the first
// that has some: when those expire it is asked again, and its error is one.
// Where nobody has any, requests are not signed.
//
// It differs from minio-go's in this: a provider that fails later is not taken
// for one that has nothing, and nobody is asked again where nobody had any.
type chain struct {
	providers []credentials.Provider
	client    *http.Client // for providers that ask somebody
	chosen    credentials.Provider
	anonymous atomic.Bool
}

var _ credentials.Provider = (*chain)(nil)

// s3Credentials looks where the tools of AWS do.
func s3Credentials() *chain {
	c := &chain{
		client:    roleClient(),
		providers: []credentials.Provider{&credentials.EnvAWS{}, profile{&credentials.FileAWSCredentials{}}},
	}
	isRole := os.Getenv("AWS_WEB_IDENTITY_TOKEN_FILE") != "" ||
		os.Getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") != "" || os.Getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI") != ""
	if isRole || !strings.EqualFold(os.Getenv("AWS_EC2_METADATA_DISABLED"), "true") {
		c.providers = append(c.providers, &credentials.IAM{})
	}
	return c
}

// gsCredentials are an HMAC key of GCS.
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
		if errors.Is(err, errSpoiled) {
			return value, err
		}
		if asked, isAsked := p.(profile); err != nil && isAsked && asked.isNamed() {
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

// errCredentials is that of a provider that the user named and that has none.
var errCredentials = errors.New("no credentials")

// retrieve asks a provider, by the chain's client: that of the store waits too
// long, and counts. Its errors name no URL: one may hold a token.
func (c *chain) retrieve(p credentials.Provider, cc *credentials.CredContext) (credentials.Value, error) {
	own := credentials.CredContext{Client: c.client}
	if cc != nil {
		own.Endpoint, own.Context = cc.Endpoint, cc.Context
	}
	value, err := p.RetrieveWithCredContext(&own)
	if err == nil && !isPrintable(value) {
		return credentials.Value{}, errSpoiled
	}
	if isURL := new(url.Error); errors.As(err, &isURL) {
		err = isURL.Err
	}
	return value, err
}

// errSpoiled is that of credentials that no header can hold, such as those of a file with
// the line break at its end. It does not say them.
var errSpoiled = fmt.Errorf("%w: found a line break or another control character in them", errCredentials)

// isPrintable reports whether credentials have no control characters.
func isPrintable(v credentials.Value) bool {
	return !strings.ContainsFunc(v.AccessKeyID+v.SecretAccessKey+v.SessionToken, unicode.IsControl)
}

// A profile is one of AWS's shared files. Where the user names it, it must be
// there.
type profile struct {
	*credentials.FileAWSCredentials
}

func (profile) isNamed() bool { return os.Getenv("AWS_PROFILE") != "" }

// roleClient asks for the credentials of roles. Where there is no such service,
// often nobody answers, so it does not wait long.
func roleClient() *http.Client {
	return &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{
		DialContext: (&net.Dialer{Timeout: 2 * time.Second}).DialContext,
		Proxy: func(r *http.Request) (*url.URL, error) {
			if strings.HasPrefix(r.URL.Host, "169.254.") {
				return nil, nil // the machine's own
			}
			return http.ProxyFromEnvironment(r)
		},
		DisableKeepAlives: true, // nothing is left open between two hours
	}}
}
