package king

import (
	"context"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"kingbot/kingv1"
)

type talk = grpc.BidiStreamingServer[kingv1.PlayRequest, kingv1.PlayResponse]

// referee follows one script for each stream, in order.
type referee struct {
	kingv1.UnimplementedArenaServiceServer
	scripts chan func(talk) error
}

func (r *referee) Play(stream talk) error { return (<-r.scripts)(stream) }

// serve serves these scripts on a Unix socket and gives its address.
func serve(t *testing.T, scripts ...func(talk) error) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "referee.sock")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	server, service := grpc.NewServer(), &referee{scripts: make(chan func(talk) error, len(scripts))}
	for _, script := range scripts {
		service.scripts <- script
	}
	kingv1.RegisterArenaServiceServer(server, service)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return "unix:" + path
}

// begun hears Hello and Ready as they must come.
func begun(t *testing.T, stream talk) {
	t.Helper()
	frame, err := stream.Recv()
	hello := frame.GetMessages()[0].GetHello()
	if err != nil || hello.GetToken() != "secret" || hello.GetProtocolVersion() != protocolVersion {
		t.Errorf("the first message is %v: %v", hello, err)
	}
	welcome := &kingv1.RefereeMessage_Welcome{Welcome: &kingv1.Welcome{ProtocolVersion: 1, TableLimit: 64}}
	tell(t, stream, false, &kingv1.RefereeMessage{Message: welcome})
	frame, err = stream.Recv()
	if err != nil || frame.GetMessages()[0].GetReady() == nil {
		t.Errorf("after Welcome it says %v: %v", frame, err)
	}
}

func tell(t *testing.T, stream talk, more bool, messages ...*kingv1.RefereeMessage) {
	t.Helper()
	if err := stream.Send(&kingv1.PlayResponse{Messages: messages, More: more}); err != nil {
		t.Error(err)
	}
}

// answered hears one answer.
func answered(t *testing.T, stream talk, id int64) {
	t.Helper()
	frame, err := stream.Recv()
	if err != nil {
		t.Error(err)
		return
	}
	if choice := frame.GetMessages()[0].GetChoice(); choice.GetRequestId() != id || choice.GetIndex() != 1 {
		t.Errorf("the answer is %v", choice)
	}
}

func playAt(address string) error {
	return play(context.Background(), address, newSession(chooser(last), Config{Name: "test"}, "secret"))
}

func TestFramesThatGoOnAreHeardTogether(t *testing.T) {
	address := serve(t, func(stream talk) error {
		begun(t, stream)
		messages := opening(3)
		tell(t, stream, true, messages[:2]...)
		tell(t, stream, true, messages[2:4]...)
		tell(t, stream, false, messages[4:]...)
		answered(t, stream, 73)
		return nil
	})
	if err := playAt(address); err != nil {
		t.Error(err)
	}
}

func TestABrokenStreamIsDialledAgainAndItsTablesReplaced(t *testing.T) {
	address := serve(t,
		func(stream talk) error {
			begun(t, stream)
			tell(t, stream, false, opening(3)...)
			answered(t, stream, 73)
			return status.Error(codes.Unavailable, "the referee is going away")
		},
		func(stream talk) error {
			begun(t, stream)
			tell(t, stream, false, opening(3)...)
			answered(t, stream, 73)
			return nil
		})
	if err := playAt(address); err != nil {
		t.Error(err)
	}
}

func TestFramesOfAnySizeAreTakenIn(t *testing.T) {
	address := serve(t, func(stream talk) error {
		begun(t, stream)
		start := opening(3)
		start[0].GetTableStart().MatchId = strings.Repeat("m", 5<<20)
		tell(t, stream, false, start...)
		answered(t, stream, 73)
		return nil
	})
	if err := playAt(address); err != nil {
		t.Error(err)
	}
}

func TestARefusalIsFinalAndSaysWhy(t *testing.T) {
	for code, reason := range fatal {
		address := serve(t, func(talk) error { return status.Error(code, "so it is") })
		err := playAt(address)
		if err == nil || !strings.Contains(err.Error(), reason) || !strings.Contains(err.Error(), "so it is") {
			t.Errorf("%v: the error is %v", code, err)
		}
	}
}
