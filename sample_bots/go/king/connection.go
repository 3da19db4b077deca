package king

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"kingbot/kingv1"
)

const (
	firstPause   = 50 * time.Millisecond
	longestPause = 2 * time.Second
	giveUpAfter  = 60 * time.Second
)

// fatal has the statuses after which there is no use in dialling again.
var fatal = map[codes.Code]string{
	codes.Unauthenticated:    "the token was refused",
	codes.FailedPrecondition: "the protocol version was refused",
	codes.InvalidArgument:    "the referee reports an illegal choice or a protocol error",
	codes.ResourceExhausted:  "the referee reports a flood",
	codes.DeadlineExceeded:   "the referee reports that time has run out",
	codes.Aborted:            "the sitting was dropped, or another stream has replaced this one",
	codes.Unimplemented:      "this address is not a King Arena referee",
}

// play plays until the referee has no more tables for this process, and dials again when a stream breaks.
func play(ctx context.Context, address string, session *session) error {
	pause, lostAt := firstPause, time.Now()
	for {
		err := playStream(ctx, address, session)
		if err == nil {
			return nil
		}
		answer, ok := status.FromError(err)
		if !ok {
			return err // ours, not the stream's
		}
		if reason, ok := fatal[answer.Code()]; ok {
			return fmt.Errorf("%s (%s): %s", reason, address, answer.Message())
		}
		if answer.Code() == codes.Unavailable && strings.Contains(answer.Message(), "certificate") {
			return fmt.Errorf("the certificate of the referee at %s is not believed: %s; KING_TLS_ROOTS names the authorities that are believed", address, answer.Message())
		}
		if session.welcomed {
			pause, lostAt = firstPause, time.Now()
		}
		if time.Since(lostAt) > giveUpAfter {
			return fmt.Errorf("no referee at %s for %v, giving up: %w", address, giveUpAfter, err)
		}
		fmt.Fprintf(os.Stderr, "king: stream broken (%v: %s), dialling again\n", answer.Code(), answer.Message())
		time.Sleep(pause)
		pause = min(longestPause, 2*pause)
	}
}

// playStream plays on one stream until the referee closes it. An error with a status is the stream's, another ours.
func playStream(ctx context.Context, address string, session *session) error {
	connection, err := dial(address)
	if err != nil {
		return err
	}
	defer connection.Close()
	session.welcomed = false
	stream, err := kingv1.NewArenaServiceClient(connection).Play(ctx)
	if err != nil {
		return err
	}
	// A stream that the other side ended says io.EOF when written to; why it ended is found out by reading.
	if err := session.begin(stream); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	for {
		messages, err := receive(stream)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := session.onFrame(messages, stream); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
}

// receive reads a whole frame: it joins those that go on in the next one.
func receive(stream grpc.ServerStreamingClient[kingv1.PlayResponse]) ([]*kingv1.RefereeMessage, error) {
	var messages []*kingv1.RefereeMessage
	for {
		frame, err := stream.Recv()
		if err != nil {
			return nil, err
		}
		messages = append(messages, frame.GetMessages()...)
		if !frame.GetMore() {
			return messages, nil
		}
	}
}

// dial prepares a connection to "host:port", "tls://host:port" or "unix:/path"; no proxy and no name service of gRPC has
// a part in it.
func dial(address string) (*grpc.ClientConn, error) {
	secrecy := insecure.NewCredentials()
	if place, ok := strings.CutPrefix(address, "tls://"); ok {
		address = place
		var err error
		if secrecy, err = encrypted(place, os.Getenv("KING_TLS_ROOTS")); err != nil {
			return nil, err
		}
	}
	return grpc.NewClient("passthrough:///"+address,
		grpc.WithTransportCredentials(secrecy),
		grpc.WithNoProxy(),
		grpc.WithAuthority("localhost"),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32)),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			network, place := "tcp", address
			if path, ok := strings.CutPrefix(address, "unix:"); ok {
				network, place = "unix", path
			}
			return (&net.Dialer{}).DialContext(ctx, network, place)
		}))
}

// encrypted believes a referee whose certificate is signed by an authority in the PEM file roots, or by a public one
// where no file is named.
func encrypted(place, roots string) (credentials.TransportCredentials, error) {
	host, _, err := net.SplitHostPort(place)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}
	if roots != "" {
		pem, err := os.ReadFile(roots)
		if err != nil {
			return nil, fmt.Errorf("KING_TLS_ROOTS: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("KING_TLS_ROOTS: %s has no PEM certificate", roots)
		}
	}
	return credentials.NewTLS(config), nil
}
