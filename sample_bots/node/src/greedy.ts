/** Plays each contract with sense: `card-play.ts` for the cards, the SDK's judgement for all other decisions. */

import { pickCard } from "./card-play.js";
import { type Action, Bot, decide, ofKind, run, type Table } from "./king/index.js";

class GreedyBot extends Bot {
  override readonly name = "node-greedy";

  override choose(table: Table, actions: readonly Action[]): Action {
    const plays = ofKind(actions, "play");
    if (plays.length === 0) return decide(table, actions);
    const cards = plays.map(({ card }) => card);
    return plays[cards.indexOf(pickCard(table, cards))]!;
  }
}

await run(new GreedyBot());
