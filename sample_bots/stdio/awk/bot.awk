# A King Arena bot in awk, behind `king bridge`. Where points are to be avoided it leads its lowest card, follows with
# the highest that still loses, and throws its highest when it cannot follow; else it plays its lowest.
#
# Each line that comes is one frame of the referee. The bridge writes its keys in a fixed order and without spaces,
# so that a message can be cut out at {"table": and its text told by patterns, without a JSON library.

BEGIN { say("{\"hello\":{\"name\":\"awk-simple\",\"version\":\"1\"}}") }

/"welcome":/ { say("{\"ready\":{}}") }

{
    answers = ""
    count = split($0, messages, /\{"table":/)
    for (i = 2; i <= count; i++) {
        table = messages[i] + 0
        if (messages[i] ~ /"contract_set":/)
            penalty[table] = messages[i] ~ /"contract":"no_/
        else if (messages[i] ~ /"(deal_start|trick_end)":/)
            led[table] = ""
        else if (messages[i] ~ /"action_taken":.*_PLAY"/)
            played(table, card_of(messages[i]))
        else if (match(messages[i], /"request_id":"[0-9]+"/))
            answers = answers ",{\"choice\":{" substr(messages[i], RSTART, RLENGTH) ",\"index\":" \
                choose(messages[i], table) "}}"
    }
    if (answers != "")
        say(substr(answers, 2))
}

function say(messages) {
    print "{\"messages\":[" messages "]}"
    fflush()
}

function card_of(text) { return substr(text, index(text, "\"card\":\"") + 8, 2) }
function rank(card) { return index("23456789TJQKA", substr(card, 1, 1)) }
function suit(card) { return substr(card, 2, 1) }

function played(table, card) {
    if (led[table] == "")
        led[table] = suit(card)
    else if (suit(card) != led[table] || rank(card) < best[table])
        return
    best[table] = rank(card)
}

# The place, from 0, of the action to take: the first one, unless a card is to be played.
function choose(request, table,    actions, count, i, card, loses, worth, most, place) {
    count = split(request, actions, /\{"kind":"ACTION_KIND_/)
    for (i = 2; i <= count; i++) {
        if (actions[i] !~ /^PLAY/)
            return 0
        card = card_of(actions[i])
        loses = led[table] != "" && (suit(card) != led[table] || rank(card) < best[table])
        worth = penalty[table] && loses ? rank(card) : -rank(card)
        if (i == 2 || worth > most) {
            most = worth
            place = i - 2
        }
    }
    return place
}
