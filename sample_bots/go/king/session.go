package king

import (
	"fmt"
	"slices"
	"time"

	"kingbot/kingv1"
)

const (
	protocolVersion = 1
	flushAfter      = 20 * time.Millisecond
	labelLength     = 64
)

// outbox is the half of a stream that we write to.
type outbox interface {
	Send(*kingv1.PlayRequest) error
}

// session is the bot's dialogue with the referee, across the streams that carry it.
type session struct {
	bot      Bot
	config   Config
	token    string
	clock    *Clock
	tables   *tables
	warm     bool
	welcomed bool // whether the stream at hand got so far
}

func newSession(bot Bot, config Config, token string) *session {
	clock := &Clock{}
	return &session{bot: bot, config: config, token: token, clock: clock, tables: newTables(bot, clock)}
}

// begin says who we are, as the first thing on a stream.
func (s *session) begin(out outbox) error {
	s.welcomed = false
	return say(out, &kingv1.BotMessage{Message: &kingv1.BotMessage_Hello{Hello: &kingv1.Hello{
		ProtocolVersion: protocolVersion,
		Token:           s.token,
		Name:            cut(s.config.Name),
		Version:         cut(s.config.Version),
		TableLimit:      int32(s.config.TableLimit),
	}}})
}

// onFrame takes in a whole frame and answers its requests.
func (s *session) onFrame(messages []*kingv1.RefereeMessage, out outbox) error {
	if !s.welcomed && slices.ContainsFunc(messages, isWelcome) {
		if err := s.getReady(out); err != nil {
			return err
		}
	}
	asked, err := s.tables.takeIn(messages)
	if err != nil || len(asked) == 0 {
		return err
	}
	return s.answer(asked, out)
}

func isWelcome(message *kingv1.RefereeMessage) bool { return message.GetWelcome() != nil }

func (s *session) getReady(out outbox) error {
	s.welcomed = true
	if bot, ok := s.bot.(WarmUpper); ok && !s.warm {
		if err := bot.WarmUp(); err != nil {
			return fmt.Errorf("warming up: %w", err)
		}
	}
	s.warm = true
	return say(out, &kingv1.BotMessage{Message: &kingv1.BotMessage_Ready{Ready: &kingv1.Ready{}}})
}

// answer answers all requests of a frame; what is ready goes out early if the rest takes long.
func (s *session) answer(asked []request, out outbox) error {
	last := asked[len(asked)-1]
	s.clock.onFrame(last.left, last.takenLast, len(asked))
	var answers []*kingv1.BotMessage
	flushedAt := time.Now()
	for _, request := range asked {
		index, err := s.choose(request)
		if err != nil {
			return err
		}
		choice := &kingv1.Choice{RequestId: request.id, Index: int32(index)}
		answers = append(answers, &kingv1.BotMessage{Message: &kingv1.BotMessage_Choice{Choice: choice}})
		s.clock.Unanswered--
		if time.Since(flushedAt) > flushAfter && s.clock.Unanswered > 0 {
			if err := say(out, answers...); err != nil {
				return err
			}
			answers, flushedAt = nil, time.Now()
		}
	}
	return say(out, answers...)
}

func (s *session) choose(request request) (int, error) {
	chosen := s.bot.Choose(request.table, request.actions)
	index := slices.Index(request.actions, chosen)
	if index < 0 {
		return 0, fmt.Errorf("Choose returned %v, which is not legal: the actions are %v", chosen, request.actions)
	}
	return index, nil
}

func say(out outbox, messages ...*kingv1.BotMessage) error {
	return out.Send(&kingv1.PlayRequest{Messages: messages})
}

func cut(label string) string {
	if letters := []rune(label); len(letters) > labelLength {
		return string(letters[:labelLength])
	}
	return label
}
