// Package bucket reads and writes objects in S3, in stores with the same protocol, and in Google
// Cloud Storage through its S3 interoperability:
//
//	u, isURL, err := bucket.Parse("s3://corpus/2026/part-0001.csv")
//	c, err := bucket.New(bucket.Options{})
//	o, err := c.Stat(ctx, u)
//	r := c.Open(u, o).Reader(ctx, 0, o.Size)   // several ranges in flight, read in order
//	defer r.Close()
//
// The layers between a call and the store:
//
//	Stat List ReadDir   Get ReadRange Append Reader  Put Copy  Remove Uploads Abort
//	        │                         │                 │              │
//	        └─────────────────────────┴──── retry ──────┴──────────────┘
//	                                      │      backoff with jitter, Retry-After, for some minutes
//	                                  minio-go   protocol, signatures, credentials; it tries once
//	                                      │
//	                                  transport  limits requests in flight; ends stalled requests
//
// The ETag and the size of an object identify its content. If the store has no ETag, the time
// replaces it. Every read requests the ETag of the listing, and another one is [ErrChanged]. A
// body that ends early is requested again. If it ends early every time, that is an error, never a
// short read.
//
// Writing can be repeated safely. An object exists completely or not at all. The store has
// checked its bytes by their CRC-32C, or they have been read back. A failed upload removes its
// parts; [Client.Uploads] finds the uploads of a process that was killed.
//
// # What minio-go does, and what it does not
//
// Listing uses minio-go's iterator. Its other high-level calls fail tests of this package, with
// v7.4.1:
//
//   - Retries (MaxRetries: 10) ignore Retry-After and the time limit of [Options], and do not
//     continue a body that ended early. TestObeysRetryAfter, TestRetryTimeLimit, TestStoreOutage,
//     and TestTransientErrors fail. A request that the store refuses takes a minute to fail
//     (TestPermanentErrors).
//   - Object.ReadAt accepts answers with another ETag, or without one: TestChanged fails. It makes
//     one request at a time.
//   - PutObject drops If-Match and If-None-Match when it completes an upload in parts. A task that
//     was suspended replaces a shard of a dataset that others have published since:
//     TestLateShardUpload of package sink fails. It repeats all parts when one fails, and leaves
//     parts behind when one is refused (TestPutFails). If the answer of a complete upload is lost,
//     it fails (TestPutWithLostResponses). It sends CRC-32C only in trailing headers, which not
//     all stores support.
//
// # Endpoints and credentials
//
// Settings that [Options] does not have are taken from the environment:
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
// Without credentials requests are not signed, as public buckets allow. No error and no String of
// this package contains credentials.
package bucket
