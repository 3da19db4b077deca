/** From the protocol's messages to the bot's view of its tables. Opens no connection and takes no decision. */

import type { Action__Output } from "#types/king/v1/Action.js";
import type { ActionBy__Output } from "#types/king/v1/ActionBy.js";
import type { ContractSet__Output } from "#types/king/v1/ContractSet.js";
import type { RefereeMessage__Output } from "#types/king/v1/RefereeMessage.js";
import type { Suit__Output } from "#types/king/v1/Suit.js";
import type { TableEnd__Output } from "#types/king/v1/TableEnd.js";
import type { TableStart__Output } from "#types/king/v1/TableStart.js";
import type { Action, ActionBy } from "./actions.js";
import type { Bot } from "./bot.js";
import { card, type Suit } from "./cards.js";
import type { Contract } from "./deal.js";
import { type Opening, Table } from "./table.js";

/** A request, with its table as it stands. */
export type Asked = Readonly<{
  /** A 64 bit number, as text: JavaScript's own numbers are exact up to 53 bits only. */
  requestId: string;
  table: Table;
  actions: readonly Action[];
  leftMs: number;
  takenLastMs: number;
}>;

/** The tables of one process, by the referee's number; survives a broken stream. */
export class Tables {
  private readonly byNumber = new Map<number, Table>();

  constructor(private readonly bot: Pick<Bot, "tableStarted" | "dealEnded" | "tableEnded">) {}

  /** Brings the views up to date with a whole frame; gives its requests in order. */
  takeIn(messages: readonly RefereeMessage__Output[]): Asked[] {
    const asked: Asked[] = [];
    for (const message of messages) {
      if (message.tableStart) this.onTableStart(message.table, message.tableStart);
      else if (message.request) asked.push(readRequest(this.find(message), message.request));
      else if (message.tableEnd) this.onTableEnd(this.find(message), message.tableEnd);
      else if (isEvent(message)) this.onEvent(this.find(message), message);
    }
    return asked;
  }

  private find(message: RefereeMessage__Output): Table {
    const table = this.byNumber.get(message.table);
    if (table) return table;
    throw new Error(`the referee sent ${message.message} for table ${message.table}, which has not started`);
  }

  private onTableStart(number: number, start: TableStart__Output): void {
    const table = new Table(readOpening(number, start));
    this.byNumber.set(number, table);
    this.bot.tableStarted(table);
  }

  private onEvent(table: Table, message: RefereeMessage__Output): void {
    onEvent(table, message);
    if (message.dealEnd) this.bot.dealEnded(table);
  }

  private onTableEnd(table: Table, end: TableEnd__Output): void {
    table.onTableEnd(end);
    this.byNumber.delete(table.number);
    this.bot.tableEnded(table);
  }
}

/** Whether it is of a kind that this version knows; newer referees may send more. */
function isEvent(message: RefereeMessage__Output): boolean {
  return message.message !== undefined && message.message !== "welcome";
}

function onEvent(table: Table, message: RefereeMessage__Output): void {
  const {
    dealStart,
    cardsDealt,
    talonShown,
    actionTaken,
    cardGiven,
    exposed,
    contractSet,
    trickEnd,
    dealEnd,
  } = message;
  const { deal } = table;
  if (actionTaken) deal.onAction(actionTaken.seat, readAction(actionTaken.action!), readBy(actionTaken.by));
  else if (trickEnd) deal.onTrickEnd(trickEnd.taker);
  else if (dealStart) {
    const dealer = dealStart.hasDealer ? dealStart.dealer : null;
    table.onDealStart(dealStart.number, dealer, dealStart.hasChooser ? dealStart.chooser : null);
  } else if (cardsDealt) table.onCards(cardsDealt.cards.map(card));
  else if (talonShown) deal.talon = talonShown.cards.map(card);
  else if (cardGiven) {
    const known = cardGiven.card ? card(cardGiven.card) : null;
    deal.onGift({ seat: cardGiven.seat, to: cardGiven.toSeat, card: known });
  } else if (exposed) deal.onExposed(exposed.seat, card(exposed.card));
  else if (contractSet) deal.contract = readContract(contractSet);
  else if (dealEnd) table.onDealEnd(dealEnd.points, dealEnd.totals);
}

function readOpening(number: number, start: TableStart__Output): Opening {
  const { variant, options, seat, matchId, dealCommitment, timeControl: control } = start;
  return {
    number,
    matchId,
    dealCommitment,
    variant,
    options,
    seats: start.seatCount,
    seat,
    timeControl: {
      startMs: Number(control?.startMs ?? 0),
      incrementMs: Number(control?.incrementMs ?? 0),
      bankMs: Number(control?.bankMs ?? 0),
    },
  };
}

function readRequest(table: Table, request: NonNullable<RefereeMessage__Output["request"]>): Asked {
  const actions = request.legalActions.map(readAction);
  table.onRequest(actions);
  return {
    requestId: request.requestId,
    table,
    actions,
    leftMs: Number(request.timeLeftMs),
    takenLastMs: Number(request.timeTakenLastMs),
  };
}

function readContract(set: ContractSet__Output): Contract {
  return {
    id: set.contract,
    declarer: set.hasDeclarer ? set.declarer : null,
    trump: readSuit(set.trump),
    isMisere: set.misere,
    price: set.price || null,
  };
}

/** An action of the protocol as one of the SDK. */
export function readAction(action: Action__Output): Action {
  switch (action.kind) {
    case "ACTION_KIND_PLAY":
      return { kind: "play", card: card(action.card) };
    case "ACTION_KIND_CHOOSE":
      return { kind: "choose", contract: action.contract, trump: readSuit(action.trump) };
    case "ACTION_KIND_ORDER":
      return { kind: "order", contract: action.contract };
    case "ACTION_KIND_PASS":
      return { kind: "pass" };
    case "ACTION_KIND_BID":
      return { kind: "bid", tricks: action.trickCount };
    case "ACTION_KIND_NAME_TRUMP":
      return { kind: "name_trump", trump: readTrump(action.trump) };
    case "ACTION_KIND_BY_LAST":
      return { kind: "by_last" };
    case "ACTION_KIND_MISERE":
      return { kind: "misere" };
    case "ACTION_KIND_TWO_TRICKS_EACH":
      return { kind: "two_tricks_each" };
    case "ACTION_KIND_OFFER":
      return { kind: "offer" };
    case "ACTION_KIND_KEEP":
      return { kind: "keep" };
    case "ACTION_KIND_GIVE":
      return { kind: "give", card: card(action.card), to: action.toSeat };
    default:
      throw new Error(`the referee sent an action of the kind ${action.kind}, which this SDK does not know`);
  }
}

function readBy(by: ActionBy__Output): ActionBy {
  switch (by) {
    case "ACTION_BY_BOT":
      return "bot";
    case "ACTION_BY_FORCED":
      return "forced";
    case "ACTION_BY_STAND_IN":
      return "stand_in";
    default:
      throw new Error(`the referee sent an action by ${by}, which this SDK does not know`);
  }
}

function readSuit(suit: Suit__Output): Suit | null {
  switch (suit) {
    case "SUIT_SPADES":
      return "S";
    case "SUIT_HEARTS":
      return "H";
    case "SUIT_DIAMONDS":
      return "D";
    case "SUIT_CLUBS":
      return "C";
    case "SUIT_UNSPECIFIED":
      return null;
  }
}

function readTrump(suit: Suit__Output): Suit {
  const trump = readSuit(suit);
  if (!trump) throw new Error("the referee sent a naming of trumps without a suit");
  return trump;
}
