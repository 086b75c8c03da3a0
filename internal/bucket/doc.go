// Package bucket reads and writes objects in S3, in what speaks its protocol,
// and in Google Cloud Storage through its S3 interoperability:
//
//	u, isURL, err := bucket.Parse("s3://corpus/2026/part-0001.csv")
//	c, err := bucket.New(bucket.Options{})
//	o, err := c.Stat(ctx, u)
//	r := c.Open(u, o).Reader(ctx, 0, o.Size)   // ranges in flight, in their order
//	defer r.Close()
//
// What stands between a call and the store:
//
//	Stat List ReadDir  ReadRange Append Reader  Put PutNew PutFile PutStream  Remove Uploads Abort
//	        │                     │                           │                      │
//	        └─────────────────────┴──── retry ────────────────┴──────────────────────┘
//	                                      │      backoff with jitter, Retry-After, for some minutes
//	                                  minio-go   protocol, signatures, credentials; it tries once
//	                                      │
//	                                  transport  so many requests at once; one that stands still is ended
//
// An object is what it was when it was listed: its ETag and its size are its
// identity, or its time and its size where the store has no ETag. Every read asks
// for that ETag, and one that has another is [ErrChanged]. A body that ends early
// is tried again and at last an error, never a short read.
//
// Writing is safe to repeat. An object is there wholly or not at all; its bytes
// have been checked by the store, by their CRC-32C, or been read back. An upload
// that fails takes its parts away; [Client.Uploads] finds those of a process
// that was killed.
//
// # Where stores are, and who asks
//
// What [Options] leave open is taken from the environment:
//
//	                S3                                            GCS
//	endpoint        AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL         storage.googleapis.com
//	region          AWS_REGION, AWS_DEFAULT_REGION,               auto
//	                else the store is asked for each bucket
//	credentials     AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,     GS_ACCESS_KEY_ID,
//	                AWS_SESSION_TOKEN; the profile AWS_PROFILE    GS_SECRET_ACCESS_KEY:
//	                of ~/.aws/config and ~/.aws/credentials;      an HMAC key of a
//	                web identity (AWS_WEB_IDENTITY_TOKEN_FILE,    service account
//	                AWS_ROLE_ARN); the role of a container or
//	                a machine, unless AWS_EC2_METADATA_DISABLED
//	                is true
//
// Without credentials requests are not signed, as public buckets allow.
// Credentials are in no error and no String of this package.
package bucket
